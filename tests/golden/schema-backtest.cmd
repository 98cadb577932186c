schema backtest
