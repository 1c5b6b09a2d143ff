// What the page's `load` asks for is a file beside it.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { build } from 'vite'

mkdirSync('static', { recursive: true })
writeFileSync('static/kit-data.json', JSON.stringify(JSON.parse(readFileSync('texts.json', 'utf8'))['kit-data']))
await build()
copyFileSync('static/kit-data.json', 'build/kit-data.json')
