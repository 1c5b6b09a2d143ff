import { createRequire } from 'node:module'
import { isAbsolute, resolve } from 'node:path'

/**
 * Resolves a file of an optional package, first from the location of this code and then from the working directory,
 * because a bundle may lie apart from the packages that it leaves out. Bundlers do not follow the name.
 *
 * @param name a package, a path in one, a module of Node, or a name from `imports` of this package
 * @throws the error of Node for a name that it cannot find
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
 * Loads an optional package.
 *
 * @throws the error of {@link resolvePackage}, or of loading the package
 */
export function loadPackage(name: string): unknown {
  const path = resolvePackage(name)
  // Code of a thread that was started from text has no place of its own, and modules of Node are found from anywhere.
  return createRequire(isAbsolute(path) ? path : resolve('/'))(path)
}

/** Tests whether an optional package is installed. */
export function isInstalled(name: string): boolean {
  try {
    resolvePackage(name)
    return true
  } catch {
    // An optional package may be absent.
    return false
  }
}

/**
 * Returns the file of this code. Bundles in CommonJS have no `import.meta.url`; with `node -e`, all code sees a `__filename` that is
 * no path.
 */
const here = (): string => (typeof __filename === 'string' && isAbsolute(__filename) ? __filename : import.meta.url)
