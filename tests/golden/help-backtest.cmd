help backtest
