schema export
