#!/bin/sh
# Builds dist/viewer.html from src/: installs the two pinned packages, bundles, inlines.
set -eu
cd "$(dirname "$0")"
npm install --no-package-lock --no-audit --no-fund
npx --no-install esbuild src/main.js --bundle --minify --format=iife --target=es2021 \
  --legal-comments=inline --outfile=build/viewer.js
npx --no-install esbuild src/page.css --minify --outfile=build/viewer.css
node inline.mjs
