import type { PageFunctions } from './page-functions.js'

/** Indirect, so that the script runs in the global scope. */
const { eval: globalEval } = window

/** The constructor of async functions, which has no global name. */
const AsyncFunction = (async () => {}).constructor as new (body: string) => () => Promise<unknown>

/**
 * Runs a caller's script as a script of the page; `isNone` if it does not compile as one, because it has `return` or `await`
 * outside of functions, or is wrong. An object literal is a script too, and a function, which is called.
 *
 * The page may have replaced any built-in function: only `eval` and what makes JSON of the result are used.
 */
export const runJavascript: PageFunctions['runJavascript'] = async ({ script, maxLength, name }) => {
  const inBrackets = `(${script}\n)`
  const mayBeExpression = /^\s*(?:\{|(?:async\b\s*)?(?:function\b|\(|[$\w]+\s*=>))/.test(script)
  const isExpression = mayBeExpression && isScript(inBrackets, name)
  if (!isExpression && !isScript(script, name)) return { isNone: true }
  const value: unknown = globalEval(isExpression ? inBrackets : script)
  return await printValue(isExpression && typeof value === 'function' ? (value as () => unknown)() : value, maxLength)
}

/** Runs a caller's script as the body of an async function. */
export const runAsBody: PageFunctions['runAsBody'] = async ({ script, maxLength }) =>
  await printValue(new AsyncFunction(script)(), maxLength)

/** Awaits the value of a script, and returns it as JSON. */
export const printValue: PageFunctions['printValue'] = async (value, maxLength) => {
  const json = toJson(await value)
  return json.length > maxLength ? { length: json.length } : { json }
}

/**
 * Tests whether a text compiles as a script. None of it runs, because a `throw` statement is put before it.
 *
 * @param name of a global variable that the page does not have
 */
function isScript(script: string, name: string): boolean {
  const marker = {}
  const globals = window as unknown as Record<string, unknown>
  globals[name] = marker
  try {
    globalEval(`throw ${name};\n${script}`)
    return false
  } catch (error) {
    return error === marker
  } finally {
    delete globals[name]
  }
}

function toJson(value: unknown): string {
  let json: string | undefined
  try {
    json = JSON.stringify(value === undefined ? null : value)
  } catch {
    // The last expression of a script is often an element, which the caller did not ask for.
  }
  return json ?? JSON.stringify(String(value))
}
