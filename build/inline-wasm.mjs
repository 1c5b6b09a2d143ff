import { readFileSync } from 'node:fs'
import { deflateRawSync } from 'node:zlib'

/**
 * Embeds WebAssembly modules of libraries as text, for bundles and for tests. A module is compiled when one of its functions
 * is first called: most pages need none.
 */
export const inlineWasm = {
  name: 'inline-wasm',
  // Before Vite's own loader of these files, which refuses an import of one.
  enforce: 'pre',
  load(id) {
    if (!id.endsWith('.wasm')) return undefined
    const bytes = readFileSync(id)
    const wasm = new WebAssembly.Module(bytes)
    const packed = deflateRawSync(bytes, { level: 9 }).toString('base64')
    const imported = WebAssembly.Module.imports(wasm)
    const from = [...new Set(imported.map(({ module }) => module))]
    const code = [
      `import { inflateRawSync } from 'node:zlib'`,
      ...from.map((module, at) => `import * as imported${at} from ${JSON.stringify(module)}`),
      'let exported',
      'const open = () => (exported ??= new WebAssembly.Instance(',
      `  new WebAssembly.Module(inflateRawSync(Buffer.from('${packed}', 'base64'))),`,
      `  { ${from.map((module, at) => `${JSON.stringify(module)}: imported${at}`).join(', ')} },`,
      ').exports)',
      ...WebAssembly.Module.exports(wasm).map(({ name, kind }) =>
        kind === 'memory'
          ? `export const ${name} = { get buffer() { return open().${name}.buffer } }`
          : `export const ${name} = (...given) => open().${name}(...given)`,
      ),
    ]
    return { code: code.join('\n'), moduleType: 'js' }
  },
}
