from tiny.numbers import NUMBERS

ANSWER = NUMBERS[0]
