backtest - --json
