"""One foreign library a module, each behind an extra and imported only when its command needs it."""
