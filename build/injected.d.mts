/** The file that holds the compiled functions. */
export const target: string
/** Returns the JSON that {@link target} should hold. */
export function compileInjected(): Promise<string>
