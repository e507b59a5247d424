"""The settings of the bakery: a database and pictures in the folder where it is started."""

from pathlib import Path

DEBUG = True
SECRET_KEY = "only for tests"
ALLOWED_HOSTS = ["127.0.0.1"]
USE_TZ = True
TIME_ZONE = "UTC"  # Django's own default is that of Chicago
STATIC_URL = "/static/"
MEDIA_URL = "/media/"
MEDIA_ROOT = Path.cwd() / "media"
ROOT_URLCONF = "bakery.urls"
WAGTAIL_SITE_NAME = "Bakery"
WAGTAILADMIN_BASE_URL = "http://127.0.0.1"
# Nothing is asked of other machines.
WAGTAIL_ENABLE_UPDATE_CHECK = False
WAGTAIL_GRAVATAR_PROVIDER_URL = None
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": Path.cwd() / "bakery.sqlite3",
        "OPTIONS": {"timeout": 60},
    }
}
OF_WAGTAIL = (
    *("contrib.forms", "contrib.redirects", "embeds", "sites", "users", "snippets", "documents"),
    *("images", "search", "admin"),
)
OF_DJANGO = ("admin", "auth", "contenttypes", "sessions", "messages", "staticfiles")
INSTALLED_APPS = [
    "bakery",
    *(f"wagtail.{part}" for part in OF_WAGTAIL),
    *("wagtail", "modelcluster", "taggit", "django_filters"),
    *(f"django.contrib.{part}" for part in OF_DJANGO),
]
# What makes its own tables is written where it is started.
MIGRATION_MODULES = {"bakery": "bakery_migrations"}
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
        "DIRS": [Path(__file__).parent / "templates"],
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
