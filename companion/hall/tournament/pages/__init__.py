"""The tournaments on pages, on paper and in files; what organisers send with their forms."""
