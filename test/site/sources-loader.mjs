import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { transform } from 'esbuild'
import { inlineWasm } from '../../build/inline-wasm.mjs'

/** Finds the TypeScript that an import of JavaScript means. */
export function resolve(specifier, context, next) {
  if (specifier.startsWith('.') && specifier.endsWith('.js') && context.parentURL?.endsWith('.ts')) {
    const url = new URL(specifier.replace(/js$/, 'ts'), context.parentURL)
    if (existsSync(url)) return { url: url.href, format: 'module', shortCircuit: true }
  }
  return next(specifier, context)
}

/** Loads TypeScript and JSON, and WebAssembly as the bundle has it. */
export async function load(url, context, next) {
  if (!/\.(?:ts|wasm)$/.test(url) && !/\/src\/.*\.json$/.test(url)) return next(url, context)
  const path = fileURLToPath(url)
  if (path.endsWith('.wasm')) return { format: 'module', source: inlineWasm.load(path).code, shortCircuit: true }
  if (path.endsWith('.json'))
    return { format: 'module', source: `export default ${await readFile(path, 'utf8')}`, shortCircuit: true }
  const { code } = await transform(await readFile(path, 'utf8'), {
    loader: 'ts',
    format: 'esm',
    target: 'node20',
    sourcefile: path,
    sourcemap: 'inline',
  })
  return { format: 'module', source: code, shortCircuit: true }
}
