/** Awaits a promise; undefined when it takes longer. */
export async function withinMs<T>(promise: Promise<T>, maxMs: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), maxMs)))
  return await Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
