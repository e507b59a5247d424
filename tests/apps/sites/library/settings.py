"""The settings of the library: a database in the folder where it is started, nothing to migrate."""

from pathlib import Path

DEBUG = True
SECRET_KEY = "only for tests"
ALLOWED_HOSTS = ["127.0.0.1"]
USE_TZ = True
TIME_ZONE = "UTC"
STATIC_URL = "static/"
ROOT_URLCONF = "library.urls"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
DATABASES = {
    "default": {"ENGINE": "django.db.backends.sqlite3", "NAME": Path.cwd() / "library.sqlite3"}
}
PARTS = ("admin", "auth", "contenttypes", "sessions", "messages", "staticfiles")
INSTALLED_APPS = [*(f"django.contrib.{part}" for part in PARTS), "library"]
# Tables are made from the models as they are, which takes a tenth of the time.
MIGRATION_MODULES = dict.fromkeys([*PARTS, "library"])
# To hash a password takes long on purpose.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]
