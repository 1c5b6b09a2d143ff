import sources from './page-functions.json' with { type: 'json' }

/** A value to fill in, under the name of its field. */
export interface FilledValue {
  readonly name: string
  /** Purpose of it. @default the field of this name alone */
  readonly role?: 'user' | 'password' | 'code'
  readonly value: string
}

/** The functions of this folder, by name. */
export interface LoginFunctions {
  /** Fills in what the page asks for, each value once for a site, and sends it. @param protocol of the login: `https:` is not left for plain http */
  fillLogin(values: readonly FilledValue[], protocol: string): Promise<'filled' | 'again' | 'none'>
}

/** Source of the function, as an expression. */
export const fillLoginSource: string = sources.fillLogin
