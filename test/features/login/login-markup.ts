/** Login pages in the manner of widespread software, in many languages, and shown in many ways. All is made up. */
export interface LoginPage {
  readonly html: string
  /** @default 200 */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

const page = (title: string, body: string, lang = 'en', head = ''): string =>
  `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>${title}</title>${head}</head><body>${body}</body></html>`

/** Pages that software shows in the place of one that needs a login, with status 200. */
const ofSoftware: Readonly<Record<string, string>> = {
  WordPress: page(
    'Log In ‹ Harbour News — WordPress',
    `<div id="login"><h1><a href="https://wordpress.org/">Powered by WordPress</a></h1><form name="loginform" id="loginform" action="/wp-login.php" method="post"><p><label for="user_login">Username or Email Address</label><input type="text" name="log" id="user_login" class="input" autocomplete="username"></p><div class="user-pass-wrap"><label for="user_pass">Password</label><div class="wp-pwd"><input type="password" name="pwd" id="user_pass" class="input password-input" autocomplete="current-password"><button type="button" class="button wp-hide-pw" aria-label="Show password"></button></div></div><p class="forgetmenot"><input name="rememberme" type="checkbox" id="rememberme" value="forever"><label for="rememberme">Remember Me</label></p><p class="submit"><input type="submit" name="wp-submit" id="wp-submit" class="button" value="Log In"><input type="hidden" name="redirect_to" value="/wp-admin/"></p></form><p id="nav"><a href="/wp-login.php?action=lostpassword">Lost your password?</a></p><p id="backtoblog"><a href="/">← Go to Harbour News</a></p></div>`,
  ),
  Drupal: page(
    'Log in | Harbour',
    `<header><nav><ul><li><a href="/">Home</a></li><li><a href="/about">About</a></li><li><a href="/user/login">Log in</a></li></ul></nav></header><main><h1>Log in</h1><nav class="tabs"><a href="/user/login">Log in</a> <a href="/user/password">Reset your password</a></nav><form class="user-login-form" action="/node/12" method="post" id="user-login-form"><div class="js-form-item"><label for="edit-name" class="form-required">Username</label><input type="text" id="edit-name" name="name" maxlength="60" required></div><div><label for="edit-pass">Password</label><input type="password" id="edit-pass" name="pass" required></div><input type="hidden" name="form_build_id" value="form-1"><input type="hidden" name="form_id" value="user_login_form"><div id="edit-actions"><input type="submit" id="edit-submit" name="op" value="Log in"></div></form></main><footer>Powered by Drupal</footer>`,
  ),
  Django: page(
    'Log in | Django site admin',
    `<div id="container"><div id="header"><h1 id="site-name"><a href="/admin/">Django administration</a></h1></div><div id="content"><form action="/admin/" method="post" id="login-form"><input type="hidden" name="csrfmiddlewaretoken" value="x"><div class="form-row"><label for="id_username">Username:</label> <input type="text" name="username" autofocus maxlength="150" required id="id_username"></div><div class="form-row"><label for="id_password">Password:</label> <input type="password" name="password" required id="id_password"><input type="hidden" name="next" value="/admin/"></div><div class="submit-row"><input type="submit" value="Log in"></div></form></div></div>`,
  ),
  'Rails with Devise': page(
    'Harbour',
    `<nav><a href="/">Harbour</a></nav><h2>Log in</h2><p class="alert">You need to sign in or sign up before continuing.</p><form class="new_user" id="new_user" action="/users/sign_in" method="post"><input type="hidden" name="authenticity_token" value="x"><div class="field"><label for="user_email">Email</label><br><input autofocus autocomplete="email" type="email" name="user[email]" id="user_email"></div><div class="field"><label for="user_password">Password</label><input autocomplete="current-password" type="password" name="user[password]" id="user_password"></div><div class="field"><input type="checkbox" name="user[remember_me]" value="1"> Remember me</div><div class="actions"><input type="submit" name="commit" value="Log in"></div></form><a href="/users/sign_up">Sign up</a> <a href="/users/password/new">Forgot your password?</a>`,
  ),
  Keycloak: page(
    'Sign in to harbour',
    `<div class="login-pf-page"><div id="kc-header"><div id="kc-header-wrapper">harbour</div></div><div class="card-pf"><header><h1 id="kc-page-title">Sign in to your account</h1></header><div id="kc-content"><form id="kc-form-login" action="https://sso.harbour.test/realms/harbour/login-actions/authenticate?session_code=a" method="post"><label for="username">Username or email</label><input tabindex="2" id="username" name="username" value="" type="text" autocomplete="username"><label for="password">Password</label><input id="password" name="password" type="password" autocomplete="current-password"><div id="kc-form-buttons"><input type="hidden" name="credentialId"><input name="login" id="kc-login" type="submit" value="Sign In"></div></form></div></div></div>`,
  ),
  'Okta, two steps': page(
    'Harbour - Sign In',
    `<div class="auth-container main-container"><main id="okta-sign-in"><div class="auth-content"><form method="POST" action="/idp/identify" data-se="o-form" class="primary-auth-form"><h2 class="okta-form-title">Sign In</h2><div><label for="u">Username</label><input type="text" name="identifier" id="u" autocomplete="username" required></div><label><input type="checkbox" name="rememberMe"> Keep me signed in</label><input class="button button-primary" type="submit" value="Next"></form><a href="/help/login">Help</a></div></main></div>`,
  ),
  Confluence: page(
    'Log In - Confluence',
    `<header id="header"><nav><a href="/">Confluence</a> <a href="/dashboard">Spaces</a></nav></header><section id="content"><div class="page-title"><h1>Log in</h1></div><form name="loginform" method="POST" action="/dologin.action" class="aui login-form-container"><h2>Log in</h2><div class="field-group"><label for="os_username">Username</label><input type="text" name="os_username" id="os_username"></div><div class="field-group"><label for="os_password">Password</label><input type="password" name="os_password" id="os_password"></div><div class="checkbox"><input type="checkbox" name="os_cookie" value="true"> Remember me</div><input id="loginButton" type="submit" name="login" value="Log in"><a href="/forgotuserpassword.action">Forgot your password?</a><input type="hidden" name="os_destination" value="/display/A"></form></section><footer>Powered by Atlassian Confluence</footer>`,
  ),
  GitLab: page(
    'Sign in · GitLab',
    `<div class="container"><h1>GitLab Community Edition</h1><form id="new_user" action="/users/sign_in" method="post"><input type="hidden" name="authenticity_token" value="a"><div><label for="user_login">Username or primary email</label><input class="form-control js-username-field" autocomplete="username" type="text" name="user[login]" id="user_login"></div><div><label for="user_password">Password</label><input class="js-password" data-testid="password-field" autocomplete="current-password" type="password" name="user[password]" id="user_password"></div><a href="/users/password/new">Forgot your password?</a><button type="submit"><span>Sign in</span></button></form><p>Don't have an account yet? <a href="/users/sign_up">Register now</a></p></div><footer><a href="/explore">Explore</a> <a href="/help">Help</a> <a href="https://about.gitlab.com">About GitLab</a></footer>`,
  ),
  Jira: page(
    'Log in - Jira',
    `<section class="login-section"><h1>Welcome to Jira</h1><form action="/login.jsp" class="aui" id="login-form" method="post"><div class="field-group"><label accesskey="u" for="login-form-username"><u>U</u>sername</label><input id="login-form-username" name="os_username" type="text"></div><div class="field-group"><label for="login-form-password"><u>P</u>assword</label><input id="login-form-password" name="os_password" type="password"></div><div class="checkbox"><input type="checkbox" name="os_cookie"> Remember my login on this computer</div><p>Not a member? To request an account, please contact your Jira administrators.</p><input name="login" type="submit" value="Log In"><a href="/secure/ForgotLoginDetails.jspa">Can't access your account?</a></form></section>`,
  ),
  Moodle: page(
    'Log in to the site | Harbour School',
    `<div id="page"><div class="login-container"><h1 class="login-heading">Log in to Harbour School</h1><form class="login-form" action="/login/index.php" method="post" id="login"><input type="hidden" name="logintoken" value="a"><label for="username" class="sr-only">Username</label><input type="text" name="username" id="username" placeholder="Username" autocomplete="username"><label for="password" class="sr-only">Password</label><input type="password" name="password" id="password" placeholder="Password" autocomplete="current-password"><button type="submit" id="loginbtn">Log in</button><a href="/login/forgot_password.php">Lost password?</a></form><div class="login-divider"></div><h2>Some courses may allow guest access</h2><form action="/login/index.php" method="post"><input type="hidden" name="username" value="guest"><input type="hidden" name="password" value="guest"><button type="submit">Access as a guest</button></form><button type="button">Cookies notice</button></div></div>`,
  ),
  MediaWiki: page(
    'Log in - Harbour Wiki',
    `<div id="content"><h1 id="firstHeading">Log in</h1><div id="mw-content-text"><div class="mw-ui-container"><div id="userloginForm"><form name="userlogin" method="post" action="/index.php?title=Special:UserLogin"><label for="wpName1">Username</label><input id="wpName1" name="wpName" placeholder="Enter your username"><label for="wpPassword1">Password</label><input id="wpPassword1" name="wpPassword" placeholder="Enter your password" type="password"><button name="wploginattempt" id="wpLoginAttempt" type="submit" value="Log in">Log in</button></form></div></div></div></div><div id="mw-navigation"><ul><li><a href="/wiki/Main_Page">Main page</a></li><li><a href="/wiki/Special:RecentChanges">Recent changes</a></li><li><a href="/wiki/Special:Random">Random page</a></li><li><a href="/wiki/Help">Help</a></li></ul></div>`,
  ),
  Discourse: page(
    'Harbour Talk',
    `<header><a href="/">Harbour Talk</a></header><div class="login-page"><h1>Welcome back</h1><p>Log in to your account</p><form id="login-form" method="post" action="/session"><input type="email" id="login-account-name" name="login" autocomplete="username"><label>Email / Username</label><input type="password" id="login-account-password" name="password" autocomplete="current-password"><label>Password</label><a href="/password-reset">I forgot my password</a><button class="btn-primary" type="submit">Log In</button></form></div>`,
  ),
  'Microsoft, two steps': page(
    'Sign in to your account',
    `<div class="lightbox"><img alt="Organization banner logo" src="/logo.png"><form name="f1" method="post" action="/common/login"><div role="heading" aria-level="1">Sign in</div><input type="email" name="loginfmt" id="i0116" placeholder="Email, phone, or Skype" autocomplete="username webauthn"><input name="passwd" type="password" id="i0118" tabindex="-1" aria-hidden="true" class="moveOffScreen"><div>No account? <a href="/signup">Create one!</a></div><a href="/help">Can’t access your account?</a><input type="submit" id="idSIButton9" value="Next"></form></div><div class="footer"><a href="/tou">Terms of use</a> <a href="/privacy">Privacy &amp; cookies</a></div>`,
  ),
  'a single-page application': page(
    'Sign in',
    `<div id="root"><div class="MuiContainer"><h1>Sign in</h1><div><label>Email Address *</label><input name="email" id="email" type="text" autocomplete="email"></div><div><label>Password *</label><input name="password" type="password" id="password" autocomplete="current-password"></div><button type="submit">SIGN IN</button><a href="/forgot">Forgot password?</a></div></div>`,
  ),
  'a frame with the login': page('Log in - Harbour', '<h1>Log in</h1><iframe src="/sso/login?embedded=1"></iframe>'),
  'a form in a frame of its own text': page(
    'Members',
    `<h1>Sign in</h1><iframe title="Sign in" srcdoc="&lt;form method=post action=/login&gt;&lt;input name=user&gt;&lt;input type=password name=pass&gt;&lt;button&gt;Sign in&lt;/button&gt;&lt;/form&gt;"></iframe>`,
  ),
  'a code by mail': page(
    'Sign in - Harbour',
    `<main><h1>Enter the code</h1><p>We sent a sign-in code to a***@harbour.test.</p><form method="post" action="/verify"><input type="text" name="otp" inputmode="numeric" maxlength="6" autocomplete="one-time-code"><button>Verify</button></form><a href="/login">Use another account</a></main>`,
  ),
  'a link by mail': page(
    'Log in to Harbour',
    `<main><h1>Log in to Harbour</h1><form action="/auth/magic" method="post"><label>Your email</label><input type="email" name="email" autocomplete="username"><button type="submit">Email me a sign-in link</button></form></main>`,
  ),
  'buttons of other sites alone': page(
    'Log in to continue | Harbour',
    `<main><h1>Log in to continue</h1><a class="btn" href="/auth/google">Continue with Google</a><a class="btn" href="/auth/github">Continue with GitHub</a><a class="btn" href="/auth/saml">Log in with SSO</a><p>By continuing you accept our <a href="/terms">terms</a>.</p></main>`,
  ),
  'a box over a blank page': page(
    'Harbour portal',
    `<div class="modal show"><div class="modal-dialog"><h5>Your session has expired</h5><p>Please log in again to continue.</p><form action="/session/renew" method="post"><input name="user" placeholder="User"><input name="secret" type="password" placeholder="Password"><button>Continue</button></form></div></div>`,
  ),
}

const form = (name: string, password: string, button: string): string =>
  `<form method="post" action="/a"><label>${name} <input name="a" type="text"></label><label>${password} <input name="b" type="password"></label><button>${button}</button></form>`

/** The words of a login: language, title, name, password, button. */
const languages: readonly (readonly [string, string, string, string, string])[] = [
  ['ja', 'ログイン', 'メールアドレス', 'パスワード', 'ログインする'],
  ['ar', 'تسجيل الدخول', 'اسم المستخدم', 'كلمة المرور', 'دخول'],
  ['de', 'Anmelden', 'Benutzername', 'Passwort', 'Einloggen'],
  ['ru', 'Вход в систему', 'Логин', 'Пароль', 'Войти'],
  ['fr', 'Connexion', 'Identifiant', 'Mot de passe', 'Se connecter'],
  ['es', 'Iniciar sesión', 'Usuario', 'Contraseña', 'Entrar'],
  ['pt', 'Entrar na sua conta', 'Usuário', 'Senha', 'Entrar'],
  ['it', 'Accedi', 'Nome utente', 'Password', 'Accedi'],
  ['nl', 'Inloggen', 'Gebruikersnaam', 'Wachtwoord', 'Inloggen'],
  ['pl', 'Zaloguj się', 'Nazwa użytkownika', 'Hasło', 'Zaloguj'],
  ['cs', 'Přihlášení', 'Uživatelské jméno', 'Heslo', 'Přihlásit se'],
  ['sv', 'Logga in', 'Användarnamn', 'Lösenord', 'Logga in'],
  ['fi', 'Kirjaudu sisään', 'Käyttäjätunnus', 'Salasana', 'Kirjaudu'],
  ['tr', 'Giriş Yap', 'Kullanıcı adı', 'Şifre', 'Giriş'],
  ['el', 'Σύνδεση', 'Όνομα χρήστη', 'Κωδικός', 'Σύνδεση'],
  ['he', 'התחברות', 'שם משתמש', 'סיסמה', 'התחבר'],
  ['fa', 'ورود', 'نام کاربری', 'رمز عبور', 'ورود'],
  ['hi', 'लॉग इन करें', 'उपयोगकर्ता नाम', 'पासवर्ड', 'लॉग इन'],
  ['zh', '登录', '用户名', '密码', '登录'],
  ['zh-TW', '登入', '使用者名稱', '密碼', '登入'],
  ['ko', '로그인', '아이디', '비밀번호', '로그인'],
  ['th', 'เข้าสู่ระบบ', 'ชื่อผู้ใช้', 'รหัสผ่าน', 'เข้าสู่ระบบ'],
  ['vi', 'Đăng nhập', 'Tên đăng nhập', 'Mật khẩu', 'Đăng nhập'],
  ['id', 'Masuk', 'Nama pengguna', 'Kata sandi', 'Masuk'],
  ['uk', 'Увійти', 'Логін', 'Пароль', 'Увійти'],
  ['hu', 'Bejelentkezés', 'Felhasználónév', 'Jelszó', 'Belépés'],
  ['ro', 'Autentificare', 'Utilizator', 'Parolă', 'Conectare'],
]

/** The words that a site shows around each page: far more than the form has. */
const around = (lang: string, title: string, inner: string): string =>
  page(
    `${title} | Harbour`,
    `<header><a href="/">Harbour</a><nav>${Array.from({ length: 12 }, (_, at) => `<a href="/${at}">Section ${at} of the site</a>`).join(' ')}</nav></header><main><h1>${title}</h1>${inner}</main><footer>${Array.from({ length: 10 }, (_, at) => `<a href="/f${at}">Footer ${at}</a>`).join(' ')}<p>© Harbour, all rights reserved</p></footer>`,
    lang,
  )

const inLanguages = Object.fromEntries(
  languages.flatMap(([lang, title, name, password, button]) => [
    [`in ${lang}, bare`, page(title, `<h1>${title}</h1>${form(name, password, button)}`, lang)],
    [`in ${lang}, in the frame of a site`, around(lang, title, form(name, password, button))],
  ]),
)

/** Answers that are a login by their status or headers. */
const answers: Readonly<Record<string, LoginPage>> = {
  'status 401 with a form': { status: 401, html: page('Unauthorized', form('User', 'Password', 'Sign in')) },
  'status 401 without a page': { status: 401, html: '' },
  'status 401 for Basic': { status: 401, html: 'No', headers: { 'www-authenticate': 'Basic realm="a"' } },
  'status 403 with a form': { status: 403, html: page('Forbidden', form('User', 'Password', 'Sign in')) },
  'status 440 with a form': { status: 440, html: page('Login timeout', form('User', 'Password', 'Sign in')) },
  'status 419 with a form': { status: 419, html: page('Page expired', form('User', 'Password', 'Log in')) },
  'JSON with status 401': {
    status: 401,
    html: '{"error":"unauthenticated"}',
    headers: { 'content-type': 'application/json' },
  },
  'a refresh by the page': {
    html: '<html><head><meta http-equiv="refresh" content="0; url=/users/sign_in"></head><body>Redirecting…</body></html>',
  },
  'a refresh by a header': { html: 'Redirecting', headers: { refresh: '0; url=/users/sign_in' } },
  ...Object.fromEntries(
    [
      'location.replace("/users/sign_in")',
      `window.location.href = '/users/sign_in?next=/a&b={c}'`,
      `\n  const seen = 1;\n  top.location = '/users/sign_in'\n`,
      `<!--\nwindow.top.location.assign("/users/sign_in")\n//-->`,
    ].map((script) => [`a script that goes on: ${script}`, { html: `<script>${script}</script>` }]),
  ),
}

export const loginPages: Readonly<Record<string, LoginPage>> = {
  ...Object.fromEntries(Object.entries({ ...ofSoftware, ...inLanguages }).map(([name, html]) => [name, { html }])),
  ...answers,
}

/** The page of `/users/sign_in`. */
export const SIGN_IN = ofSoftware['Rails with Devise'] ?? ''
