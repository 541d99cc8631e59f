#!/usr/bin/env bash
# The documentation site in build/site; a link or an anchor that leads nowhere is an error.
set -euo pipefail
cd "$(dirname "$0")/.."

mkdocs=.venv/bin/mkdocs
[ -x $mkdocs ] || {
  echo "site: $mkdocs is missing; make setup installs it (extra 'docs' of pyproject.toml)" >&2
  exit 1
}
# Its makers advertise their next product in colours.
export NO_MKDOCS_2_WARNING=1 PYTHONDONTWRITEBYTECODE=1
$mkdocs build --quiet --strict
# Readable on a machine without a network.
if fetched=$(grep -rnoE '<(script|link|img|iframe)[^>]*(src|href)="(https?:)?//[^"]*"' build/site); then
  echo "site: fetched from elsewhere:" "$fetched" >&2
  exit 1
fi
echo "site: build/site/index.html"
