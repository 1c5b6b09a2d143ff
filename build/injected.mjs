import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

/**
 * Compiles each function of `src/kernel/injected/`, which run inside a page, to text, together with its imports, and writes
 * `src/kernel/injected/page-functions.json`: the texts by name. Names are kept and no helpers are added.
 */
const folder = fileURLToPath(new URL('../src/kernel/injected/', import.meta.url))
export const target = join(folder, 'page-functions.json')

/** Returns the JSON that {@link target} should hold. */
export async function compileInjected() {
  const entries = readdirSync(folder, { encoding: 'utf8', recursive: true })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const text = readFileSync(join(folder, file), 'utf8')
      return [...text.matchAll(/^export const (\w+): PageFunctions\['\1'\]/gm)].map(([, name]) => ({ name, file }))
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
  const sources = {}
  for (const { name, file } of entries) sources[name] = await compile(name, join(folder, file))
  return `${JSON.stringify(sources, null, 2)}\n`
}

/** Compiles a function to an expression that returns it; its imports are enclosed in the expression. */
async function compile(name, file) {
  const entry = '\0entry'
  const build = await rolldown({
    input: entry,
    treeshake: { moduleSideEffects: false },
    transform: { target: 'es2022' },
    plugins: [
      {
        name: 'one-function',
        resolveId: (id) => (id === entry ? entry : undefined),
        load: (id) => (id === entry ? `export { ${name} } from ${JSON.stringify(file)}` : undefined),
      },
    ],
  })
  try {
    const { output } = await build.generate({
      format: 'esm',
      minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    })
    const [{ code, imports }, ...more] = output
    const exported = `export{${name}};`
    if (more.length > 0 || imports.length > 0 || !code.trimEnd().endsWith(exported)) {
      throw new Error(`${file}: \`${name}\` cannot be compiled to one function`)
    }
    return `(()=>{${code.trimEnd().slice(0, -exported.length)}return ${name}})()`
  } finally {
    await build.close()
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) writeFileSync(target, await compileInjected())
