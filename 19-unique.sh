python3 /tmp/words/readme.py
