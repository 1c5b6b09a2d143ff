/** Modules of undici whose types the package states for its entry only. */

declare module 'undici/lib/dispatcher/agent.js' {
  export { Agent as default } from 'undici'
}

declare module 'undici/lib/core/connect.js' {
  export { buildConnector as default } from 'undici'
}

declare module 'undici/lib/core/errors.js' {
  import type { errors } from 'undici'
  const all: typeof errors
  export default all
}

declare module 'undici/lib/api/api-request.js' {
  import type { Dispatcher } from 'undici'
  export default function request(
    this: Dispatcher,
    options: Dispatcher.RequestOptions,
  ): Promise<Dispatcher.ResponseData>
}

declare module 'undici/lib/core/util.js' {
  const util: {
    /** Reads names and values in turn. @returns names in lower case; a repeated header has an array */
    parseHeaders(lines: readonly Buffer[]): Record<string, string | string[]>
  }
  export default util
}
