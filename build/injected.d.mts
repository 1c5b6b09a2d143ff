/** Returns the compiled functions of each folder of injected code as JSON, by the file that should hold them. */
export function compileInjected(): Promise<Record<string, string>>
