import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const fileOf = (name) => fileURLToPath(new URL(name, import.meta.url))

/**
 * Compiles this folder, the page of a report, to texts: its script with all libraries, its style sheet, and the HTML of its body.
 * They are minified, because each report has them.
 *
 * @returns the texts as JSON, where `build/bundle.mjs` puts them, and the paths of all bundled modules
 */
export async function build() {
  const bundle = await rolldown({
    input: fileOf('main.ts'),
    platform: 'browser',
    // Without `browser`: the library for character references has a variant that writes HTML into an element.
    resolve: { conditionNames: ['import', 'default'] },
    transform: { target: 'es2022' },
  })
  try {
    const { output } = await bundle.generate({ format: 'iife', minify: true })
    const [{ code, moduleIds }, ...more] = output
    if (more.length > 0) throw new Error('the script of a report has more than one file')
    // Such a text would end the script, or begin a comment.
    if (/<\/script|<!--/i.test(code)) throw new Error('the script of a report cannot stand in HTML')
    const style = readFileSync(fileOf('style.css'), 'utf8')
    const body = readFileSync(fileOf('body.html'), 'utf8')
    const view = { script: code.trim(), style: compress(style), body: body.trim() }
    return {
      json: JSON.stringify(view),
      file: 'features/report/view.json',
      module: 'features/report/packed-view.js',
      moduleIds,
    }
  } finally {
    await bundle.close()
  }
}

/** Removes comments and indentation of a style sheet. */
const compress = (style) =>
  style
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/\s*\n\s*/g, '\n')
    .trim()
