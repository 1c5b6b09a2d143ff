import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const fileOf = (name) => fileURLToPath(new URL(`../src/features/report-view/${name}`, import.meta.url))

/**
 * Compiles `src/features/report-view/`, the page of a report, to texts: its script with all libraries, its style sheet, and the HTML of
 * its body. They are minified, because each report has them.
 *
 * @returns the texts, and the paths of all bundled modules
 */
export async function compileReportView() {
  const build = await rolldown({
    input: fileOf('main.ts'),
    platform: 'browser',
    // Without `browser`: the library for character references has a variant that writes HTML into an element.
    resolve: { conditionNames: ['import', 'default'] },
    transform: { target: 'es2022' },
  })
  try {
    const { output } = await build.generate({ format: 'iife', minify: true })
    const [{ code, moduleIds }, ...more] = output
    if (more.length > 0) throw new Error('the script of a report has more than one file')
    // Such a text would end the script, or begin a comment.
    if (/<\/script|<!--/i.test(code)) throw new Error('the script of a report cannot stand in HTML')
    const style = readFileSync(fileOf('style.css'), 'utf8')
    const body = readFileSync(fileOf('body.html'), 'utf8')
    return { view: { script: code.trim(), style: compress(style), body: body.trim() }, moduleIds }
  } finally {
    await build.close()
  }
}

/** Removes comments and indentation of a style sheet. */
const compress = (style) =>
  style
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/\s*\n\s*/g, '\n')
    .trim()
