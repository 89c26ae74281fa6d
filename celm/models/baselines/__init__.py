"""What the paper compares with: back-propagation, SVMs, ML-ELM, R²SVM, DCN, and a kernel on landmarks."""
