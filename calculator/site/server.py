"""Settings of gunicorn, wherever the site is served: `python -m calculator.site` starts it so.

The address and the number of workers come from the command line or from the environment
(`WEB_CONCURRENCY`).
"""

from pathlib import Path

wsgi_app = "calculator.wsgi"

# Threads are for slow clients: one that dawdles holds a thread, not a worker.
worker_class = "gthread"
threads = 8
# Loaded once: the workers share the memory of the code and the rules, and a worker that died is
# replaced at once.
preload_app = True
worker_tmp_dir = "/dev/shm" if Path("/dev/shm").is_dir() else None

# It would write into the home directory, and two instances would share it.
control_socket_disable = True

# Longer than a proxy keeps an idle connection, so that it is never closed under a request.
keepalive = 15
timeout = 30
graceful_timeout = 20

# Addresses stay below 2,000 characters; headers are those of a browser.
limit_request_line = 8190
limit_request_fields = 60
limit_request_field_size = 8190

# The site writes a line per request itself; of gunicorn only what went wrong.
accesslog = None
loglevel = "warning"
logconfig_dict = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": "calculator.site.logs.JsonFormatter"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {"gunicorn.error": {"handlers": ["stderr"], "level": "WARNING", "propagate": False}},
}
