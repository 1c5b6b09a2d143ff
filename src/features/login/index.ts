import { defineFeature } from '../../kernel/engine/feature.js'
import type { OptionDefinitions } from '../../kernel/options/option-definition.js'
import { type LoginConfig, type LoginPageOptions, loginSchema } from './login-options.js'
import { loginRow } from './login-error.js'
import { extendWithLogin, openLogin } from './open-login.js'
import { type LoginSlice, planJobLogin, planLogin } from './plan-login.js'

export type {
  LoginCall,
  LoginConfig,
  LoginHeaders,
  LoginOptions,
  LoginPageOptions,
  LoginSign,
  Secret,
} from './login-options.js'

declare module '../../kernel/options/feature-options.js' {
  interface FeaturePageOptions extends LoginPageOptions {}
  interface FeatureConfig extends LoginConfig {}
}

declare module '../../base/errors.js' {
  interface FeatureErrors {
    LOGIN_REQUIRED: true
  }
}

declare module '../../kernel/ledger/skip-reason.js' {
  interface FeatureSkipReasons {
    LOGIN_PAGE: true
  }
}

/** Logins: pages that come as the login page are known, and fetched again after a login. @internal */
export const login = defineFeature<LoginSlice>({
  name: 'login',
  needs: ['browser'],
  after: ['unsafe-links'],
  options: {
    page: {
      login: {
        schema: (z) => loginSchema(z).optional(),
        help:
          'Logs in before the pages, and again when the session has ended: a JSON object with url, fields and secrets, such as ' +
          '{"url": "https://example.com/login", "fields": {"username": "anna"}, "secrets": {"password": {"env": "SITE_PASSWORD"}}}, where ' +
          'env names a variable of the environment',
        isForSite: true,
      },
    } satisfies OptionDefinitions<LoginPageOptions>,
    engine: {
      login: { schema: (z) => loginSchema(z).optional(), help: false },
    } satisfies OptionDefinitions<LoginConfig>,
  },
  refusal: {
    reason: 'LOGIN_PAGE',
    means: 'The page is the login page of its site, and the crawl carries credentials.',
    code: 'LOGIN_REQUIRED',
    error: loginRow,
  },
  judgesRedirects: 'denied',
  changes: ({ url }) => url !== undefined,
  plan: planLogin,
  planJob: planJobLogin,
  judges: () => 'login',
  open: openLogin,
  extendEngine: extendWithLogin,
})
