backtest -
