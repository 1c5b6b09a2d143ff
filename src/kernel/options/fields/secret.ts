import type { AskedSecret } from '../../../base/runtime/ask-secret.js'
import type { SchemaBuilder } from '../../../content/convert/format.js'

/** Message for what is no secret. No message shows a value. @internal */
export const NOT_SECRET = 'neither a function nor `{ env }`: a secret itself must not be in a request (not shown)'

/** Creates the schema of {@link AskedSecret}. @internal */
export const secretSchema = (z: SchemaBuilder) =>
  z.union(
    [
      z.custom<Extract<AskedSecret, () => unknown>>((value) => typeof value === 'function', NOT_SECRET),
      z.strictObject({ env: z.string().min(1).max(1000) }),
    ],
    { error: NOT_SECRET },
  )
