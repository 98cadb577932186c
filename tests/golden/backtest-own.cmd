backtest - --rows
