import tests/import/truncated.sh --cluster 64xA100
