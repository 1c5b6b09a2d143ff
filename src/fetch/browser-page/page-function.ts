/**
 * A function for the browser, from its source; its type is that of the constant that it is given to. Playwright sends the text of a function and never runs it here.
 *
 * As text it is out of reach of what a bundler or a test runner makes of functions, and needs no types of the browser.
 */
export function pageFunction(source: string): (...values: unknown[]) => never {
  const unused = (): never => {
    throw new Error('This function runs in the browser only')
  }
  return Object.assign(unused, { toString: () => source })
}
