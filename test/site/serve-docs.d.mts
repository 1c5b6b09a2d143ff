export function serveDocs(): Promise<{ readonly url: string; close(): Promise<void> }>
