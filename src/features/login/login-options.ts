import type { SchemaBuilder } from '../../content/convert/format.js'
import type { AskedSecret } from '../../base/runtime/ask-secret.js'
import { NOT_SECRET, secretSchema } from '../../kernel/options/fields/secret.js'
import type { Action } from '../../kernel/fetch/action-options.js'

/**
 * A secret of the host: a function that returns it, the name of a variable in `env` of the engine, or the seed of one-time codes. It is
 * asked for right before it is sent, and stands in no record, log, trace, report or message.
 */
export type Secret = AskedSecret | { readonly totp: AskedSecret }

/** Sign of a page by which it is known whether its visitor is logged in. Each member that is given must hold. */
export interface LoginSign {
  /** Text that the source of the page contains. */
  text?: string
  /** Text that its final URL contains. */
  url?: string
}

/** Values for {@link LoginOptions.function}. */
export interface LoginCall {
  /** Returns a secret of `secrets`. @throws TypeError for one that is not there */
  secret(name: string): Promise<string>
  readonly signal: AbortSignal
}

/** Result of {@link LoginOptions.function}. */
export interface LoginHeaders {
  readonly headers: Readonly<Record<string, string>>
}

/** Login that pages need, and that is repeated when the session has ended. */
export interface LoginOptions {
  /**
   * URL of the page with the form, whose page and redirects say where its fields go, as in a browser: other hosts too, but plain http only
   * if this URL is of plain http. For a `function`, any URL of the host that its headers are for.
   */
  url: string
  /**
   * Name of the profile that keeps the session: all pages, jobs and engines with this name share it. Each account needs its own: two of one
   * site with one profile in an engine fail with `LOGIN_REQUIRED`.
   *
   * @default one for the host of `url`, `fields`, `flow` and the variables of secrets
   */
  profile?: string
  /** Texts to fill in that are no secrets, by the name or id of their field. `username` fits every field for a name or an e-mail address. */
  fields?: Readonly<Record<string, string>>
  /** Secrets that are filled in likewise: `password` fits every field for a password, `code` every one for a one-time code. */
  secrets?: Readonly<Record<string, Secret>>
  /** Actions in the browser that log in, for a page whose form cannot be found. `fill` has their secrets. */
  flow?: readonly Action[]
  /**
   * Logs in by other ways, such as a token: the headers are sent with pages of the host of `url`, with or without `www.`, and of those in
   * `headersFor`. It is called again when a page is answered with 401.
   */
  function?: (call: LoginCall) => LoginHeaders | Promise<LoginHeaders>
  /** Sign of pages whose visitor is logged in. Where it is missing, the page is a login page. */
  loggedInWhen?: LoginSign
  /** Sign of pages whose visitor is not logged in. */
  loggedOutWhen?: LoginSign
}

/** Page option of logins. */
export interface LoginPageOptions {
  /**
   * Log in before the page, and again when its session has ended: the pages that came as the login page meanwhile are fetched again.
   * All pages that share the profile wait for one login. With or without it, a page that carries credentials and comes as the
   * login page fails with `LOGIN_REQUIRED`. Not in the interface. @default that of the engine
   */
  login?: LoginOptions
}

/** Settings of an engine for logins. */
export interface LoginConfig {
  /** Login of all pages without one of their own. @default none */
  login?: LoginOptions
}

const MAX_ENTRIES = 20
const MAX_TEXT = 1000

/** Creates the schema of {@link LoginOptions}. No message shows a value. @internal */
export const loginSchema = (z: SchemaBuilder) => {
  const text = z.string({ error: 'not a string (not shown)' }).min(1).max(MAX_TEXT)
  const plain = secretSchema(z)
  const secret = z.union([plain, z.strictObject({ totp: plain })], { error: NOT_SECRET })
  const sign = z.strictObject({ text: text.optional(), url: text.optional() })
  const short = (record: object): boolean => Object.keys(record).length <= MAX_ENTRIES
  return z
    .strictObject({
      url: z.url({ protocol: /^https?$/ }),
      profile: z.string().min(1).max(128).optional(),
      fields: z.record(text, z.string().max(MAX_TEXT)).refine(short).optional(),
      secrets: z.record(text, secret).refine(short).optional(),
      flow: z
        .array(z.custom<Action>((value) => typeof value === 'object' && value !== null))
        .max(50)
        .optional(),
      function: z.custom<NonNullable<LoginOptions['function']>>((value) => typeof value === 'function').optional(),
      loggedInWhen: sign.optional(),
      loggedOutWhen: sign.optional(),
    })
    .refine(({ secrets, flow, function: own }) => secrets !== undefined || flow !== undefined || own !== undefined, {
      error: 'has neither `secrets` for the form, nor a `flow`, nor a `function`',
    })
    .refine(
      ({ fields = {} }) => !Object.keys(fields).some((name) => /pass(?:word|wd|wort)?$|secret|pin$/i.test(name)),
      {
        error: 'has a password in `fields`: give it as a function or `{ env }` in `secrets`',
      },
    )
}
