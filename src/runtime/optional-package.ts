import { createRequire } from 'node:module'
import { resolve } from 'node:path'

/**
 * Finds a file of a package that not every host installs: beside this code, else from the folder that the process runs in,
 * because a bundle may lie apart from the packages that it left out. Bundlers do not follow the name.
 *
 * @param name a package, a path in one, a module of Node, or a name from `imports` of this package
 * @throws what Node throws for a name that it cannot find
 */
export function resolvePackage(name: string): string {
  try {
    return createRequire(here()).resolve(name)
  } catch (error) {
    if (name.startsWith('#')) throw error
    return createRequire(resolve('package.json')).resolve(name)
  }
}

/**
 * Loads a package that not every host installs.
 *
 * @throws what {@link resolvePackage} throws, and what keeps the package itself from loading
 */
export function loadPackage(name: string): unknown {
  const path = resolvePackage(name)
  return createRequire(here())(path)
}

/** Whether a package that not every host installs is there. */
export function isInstalled(name: string): boolean {
  try {
    resolvePackage(name)
    return true
  } catch {
    // An optional peer.
    return false
  }
}

/** The file of this code: bundles in the format of CommonJS have no `import.meta.url`. */
const here = (): string => (typeof __filename === 'string' ? __filename : import.meta.url)
