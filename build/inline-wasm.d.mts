import type { Plugin } from 'vitest/config'

/** Embeds WebAssembly modules of libraries as text, for bundles and for tests. */
export const inlineWasm: Plugin
