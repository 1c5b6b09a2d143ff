import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

/**
 * Compiles each function that runs inside a page, to text, together with its imports, and writes the `page-functions.json` of its
 * folder: the texts by name. The folders are `injected/` of each feature that has one. Names are kept and no helpers are added.
 */
const source = fileURLToPath(new URL('../src/', import.meta.url))
const folders = readdirSync(join(source, 'features'))
  .map((feature) => join(source, 'features', feature, 'injected'))
  .filter((folder) => existsSync(folder))

/** Returns the JSON of each folder, by the file that should hold it. */
export async function compileInjected() {
  const files = {}
  for (const folder of folders) files[join(folder, 'page-functions.json')] = await compileFolder(folder)
  return files
}

async function compileFolder(folder) {
  const entries = readdirSync(folder, { encoding: 'utf8', recursive: true })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const text = readFileSync(join(folder, file), 'utf8')
      return [...text.matchAll(/^export const (\w+): \w+Functions\['\1'\]/gm)].map(([, name]) => ({ name, file }))
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

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  for (const [file, json] of Object.entries(await compileInjected())) writeFileSync(file, json)
