schema validate
