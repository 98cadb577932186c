backtest - --source mr
