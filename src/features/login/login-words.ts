/** Words of titles and headings of login pages, in some twenty languages, separated by bars. Data alone. */
export const loginTitles = `
  log in|login|log on|logon|sign in|signin|sign on|single sign on|authentication required|authentication|session expired|session timeout|
  your session has expired|enter your password|two step verification|two factor authentication|verification code|
  anmelden|anmeldung|einloggen|melden sie sich an|sitzung abgelaufen|connexion|se connecter|connectez vous|identifiez vous|
  iniciar sesión|inicio de sesión|inicia sesión|acceder|entrar|iniciar sessão|fazer login|accedi|accesso|autenticazione|
  inloggen|aanmelden|zaloguj|zaloguj się|logowanie|přihlášení|přihlásit se|přihlásit|prihlásenie|logga in|log ind|logg inn|
  kirjaudu|kirjaudu sisään|bejelentkezés|belépés|giriş|giriş yap|oturum aç|войти|вход|авторизация|увійти|вхід|
  ログイン|サインイン|登录|登入|登錄|로그인|تسجيل الدخول|دخول
`

/** Whole names in paths of login pages, without signs between their words. */
export const loginNames = `
  login logon signin signon userlogin memberlogin accountlogin customerlogin adminlogin dologin wplogin loginpage loginform
  authenticate authentication auth sso saml saml2 oauth oauth2 openid oidc authorize sessionnew sessionsnew newsession
  anmelden anmeldung einloggen connexion seconnecter iniciarsesion acceder accedi accesso inloggen aanmelden zaloguj logowanie
  prihlaseni prihlasit loggain logind logginn kirjaudu bejelentkezes giris girisyap vhod войти вход ログイン 登录 로그인
`

/** Folders of pages that are about logins rather than part of one. */
export const aboutFolders: ReadonlySet<string> = new Set(
  'article articles blog doc docs documentation guide guides help kb learn manual reference support tutorial tutorials wiki'.split(
    ' ',
  ),
)

/** Names of fields of a login by what they are for. */
export const fieldNames = {
  user: /^(?:user|e-?mail|mail|login|account|identifier|customer|member|benutzer|nutzer|utilisateur|identifiant|usuario|utente|kullanici|uid|id)/i,
  code: /(?:\botp|totp|one-?time|2fa|mfa|passcode|verification.?code|auth.?code)/i,
  /** A field that may be one for a code, if a code is to be filled in. */
  anyCode: /code|token|\bpin\b|otp/i,
  /** Words in the address of a form beside that of the login. */
  otherForm:
    /regist|sign[-_]?up|\bpostpass\b|\bjoin\b|forgot|\blost|\breset|recover|subscri|newsletter|\bguests?\b|\bshare\b|\binvit/i,
} as const
