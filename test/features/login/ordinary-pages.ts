/** Pages that are no login page, though they speak of logging in, or have a form beside their content. All is made up. */

const page = (title: string, body: string, lang = 'en'): string =>
  `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>${title}</title></head><body>${body}</body></html>`
const text = (count: number, about = 'the harbour'): string =>
  Array.from(
    { length: count },
    (_, at) => `<p>Paragraph ${at} tells of ${about}, of its ${at + 3} ships and of the people who wait there.</p>`,
  ).join('')
const LOGIN =
  '<form method="post" action="/login"><input name="user"><input type="password" name="pass"><button>Log in</button></form>'
const box = (inner = LOGIN): string =>
  `<aside class="login-box"><h3>Log in</h3>${inner}<a href="/forgot">Forgot password?</a></aside>`

/** Subjects of articles, each of which has the words of a login in its title and headings. */
const subjects = [
  'How to log in to your account',
  'Log in with a passkey',
  'Sign in with two-factor authentication',
  'Forgot your password? What to do',
  'Login troubleshooting',
  'Best practices for login forms',
  'Why your session has expired',
  'Single sign-on with Keycloak',
  'Login - API reference',
  'POST /login',
  'auth.signIn()',
  'Passwords are dead',
  'Anmelden im Portal: So geht es',
  'ログイン方法',
  'Comment se connecter à son compte',
  'Cómo iniciar sesión',
  'Как войти в личный кабинет',
  'كيفية تسجيل الدخول',
] as const

const articles = Object.fromEntries(
  subjects.flatMap((subject) => [
    [
      `${subject}: an article`,
      page(subject, `<main><article><h1>${subject}</h1>${text(12, 'the password and the account')}</article></main>`),
    ],
    [
      `${subject}: a short answer of a help centre`,
      page(
        `${subject} – Help`,
        `<nav><a href="/login">Log in</a></nav><main><h1>${subject}</h1><ol><li>Open the page.</li><li>Enter your user name and your password.</li><li>Press the button Log in.</li></ol><p>Was this helpful?</p></main>`,
      ),
    ],
  ]),
)

const post = (action: string, fields: string, button = 'Go'): string =>
  `<form method="post" action="${action}">${fields}<button>${button}</button></form>`

/** Forms and pages that are near to those of a login. */
const near: Readonly<Record<string, string>> = {
  'a form to join': page(
    'Join us',
    `<main><h1>Join us</h1>${post('/join', '<input name="name"><input type="email" name="email"><input type="password" name="password">')}</main>`,
  ),
  'the first page of a service, with a form to sign up': page(
    'Ships - the network of sailors',
    `<main><h1>All ships in one place</h1><p>Follow ships.</p>${post('/signup', '<input type="email" name="email"><input type="password" name="password">', 'Sign up free')}</main>`,
  ),
  'a post with a password of its own': page(
    'Protected: Minutes',
    `<main><h1>Protected: Minutes</h1><p>This content is password protected. To view it please enter your password below:</p>${post('/wp-login.php?action=postpass', '<input name="post_password" type="password">', 'Enter')}</main>`,
  ),
  'the index of a documentation': page(
    'Authentication',
    '<main><h1>Authentication</h1><p>Use a token.</p><a href="/docs/auth/oauth">OAuth</a> <a href="/docs/auth/saml">SAML</a></main>',
  ),
  'a form to enter a course': page(
    'Anmeldung zum Kurs',
    `<main><h1>Anmeldung zum Kurs</h1>${post('/kurse/anmeldung', '<input name="name"><input type="email" name="email">', 'Anmelden')}</main>`,
    'de',
  ),
  'a form to enter a newsletter': page(
    'Anmeldung',
    `<main><h1>Newsletter Anmeldung</h1>${post('/newsletter/anmeldung', '<input type="email" name="email">', 'Anmelden')}</main>`,
    'de',
  ),
  'a test of passwords': page(
    'Password generator',
    '<main><h1>Password generator</h1><form action="/tools/password"><input type="password" name="p" autocomplete="off"><button>Strength</button></form><p>Check how strong it is.</p></main>',
  ),
  'notes of a release': page(
    'Login 2.0 - Releases',
    '<main><h1>Login 2.0</h1><p>The login page has a new design.</p></main>',
  ),
  'the state of a service': page('Login status', '<main><h1>Login: operational</h1><p>Uptime 99.9%</p></main>'),
  'a list of files': page(
    'Index of /files/login',
    '<h1>Index of /files/login</h1><pre><a href="a.png">a.png</a></pre>',
  ),
  'the way to an event': page(
    'Sign in at the desk',
    '<main><h1>Sign in at the desk</h1><p>Doors open at 9.</p></main>',
  ),
  'access without steps': page(
    'Accesso disabili',
    '<main><h1>Accesso disabili</h1><p>Rampa sul lato nord.</p></main>',
    'it',
  ),
  'a slow connection': page(
    'Connexion lente : que faire ?',
    '<main><h1>Connexion lente : que faire ?</h1><p>Redémarrez la box.</p></main>',
    'fr',
  ),
}

/** What may stand beside the content of a page. */
export const besides: Readonly<Record<string, (html: string) => string>> = {
  nothing: (html) => html,
  'a login box': (html) => html.replace('<body>', `<body>${box()}`),
  'a login in its header': (html) => html.replace('<body>', `<body><header><a href="/">Harbour</a>${LOGIN}</header>`),
  'a login in a closed menu': (html) =>
    html.replace('<body>', `<body><div hidden>${LOGIN}</div><dialog>${LOGIN}</dialog>`),
  'a newsletter and ways to log in in its footer': (html) =>
    html.replace(
      '</body>',
      `<footer>${post('/news', '<input type="email" name="email" autocomplete="email">')}<a href="/login">Log in</a> <a href="/auth/a">A</a> <a href="/sso/b">B</a></footer></body>`,
    ),
  'a form for a comment': (html) =>
    html.replace(
      '</body>',
      `${post('/comment', '<input name="author"><input type="email" name="email"><textarea name="text"></textarea>')}</body>`,
    ),
  'an offer to subscribe': (html) =>
    html.replace(
      '</body>',
      '<aside><h2>Read on with a subscription</h2><a href="/subscribe">9 crowns</a> <a href="/login">Log in</a></aside></body>',
    ),
}

const others: Readonly<Record<string, string>> = {
  'a login box beside an article': page(
    'Ships of the week',
    `${box()}<main><h1>Ships of the week</h1>${text(10)}</main>`,
  ),
  'a login box above an article': page(
    'Ships of the week',
    `<header>${LOGIN}</header><main><h1>Ships</h1>${text(8)}</main>`,
  ),
  'a login box in a closed menu': page(
    'Ships',
    `<div class="dropdown" hidden>${LOGIN}</div><main><h1>Ships</h1>${text(6)}</main>`,
  ),
  'a login box beside a short page': page(
    'Opening hours',
    `${box()}<main><h1>Opening hours</h1><table><tr><th>Monday</th><td>9 to 17</td></tr><tr><th>Tuesday</th><td>9 to 17</td></tr><tr><th>Wednesday</th><td>9 to 12</td></tr><tr><th>Thursday</th><td>9 to 17</td></tr><tr><th>Friday</th><td>9 to 15</td></tr></table><p>The office is at the second pier, behind the old crane. Bring your papers, a pencil and patience: the queue is long in the morning, and short after lunch. Dogs wait outside. In winter the office closes an hour earlier, and on the first Monday of each month it does not open at all, since the officers count the ships.</p></main>`,
  ),
  'a login box beside a list': page(
    'Harbour board',
    `${box()}<main><h1>Topics</h1><ul>${Array.from({ length: 30 }, (_, at) => `<li><a href="/t/${at}">Topic ${at}: the crane of the pier</a></li>`).join('')}</ul></main>`,
  ),
  'a newsletter': page(
    'Harbour letter',
    `<main><h1>Letter of May</h1>${text(6)}<form method="post" action="/news"><input type="email" name="email"><button>Subscribe</button></form></main>`,
  ),
  'a newsletter alone': page(
    'Newsletter',
    '<main><h1>Our newsletter</h1><p>News of the harbour, once a month.</p><form method="post" action="/subscribe"><input type="email" name="email" autocomplete="email"><button>Subscribe</button></form></main>',
  ),
  'a form for contact': page(
    'Contact',
    '<main><h1>Contact</h1><form method="post" action="/contact"><input name="name" autocomplete="name"><input type="email" name="email"><textarea name="text"></textarea><button>Send</button></form><p>Harbour street 1, 1000 Port</p></main>',
  ),
  'a search': page(
    'Search',
    '<main><h1>Search</h1><form action="/search"><input name="q" type="search"><button>Search</button></form></main>',
  ),
  'a paywall': page(
    'Ships are late',
    `<main><article><h1>Ships are late</h1>${text(3)}<div class="paywall"><h2>Read on with a subscription</h2><a href="/subscribe">Subscribe for 9 crowns</a> <a href="/login">Already a subscriber? Log in</a></div></article></main>`,
  ),
  'a paywall with a form': page(
    'Ships are late',
    `<main><article><h1>Ships are late</h1>${text(8)}<div class="paywall"><h2>Log in to read on</h2>${LOGIN}</div></article></main>`,
  ),
  'settings with a change of the password': page(
    'Account settings',
    `<main><h1>Account settings</h1><h2>Profile</h2><dl><dt>Name</dt><dd>Anna</dd><dt>Language</dt><dd>English</dd><dt>City</dt><dd>Port</dd></dl><h2>Change password</h2><form method="post" action="/settings/password"><label>Current password <input type="password" name="old" autocomplete="current-password"></label><label>New password <input type="password" name="new" autocomplete="new-password"></label><label>Again <input type="password" name="again" autocomplete="new-password"></label><button>Save</button></form><h2>Notifications</h2><p>You get a letter each Monday with the ships of the week, and one when a ship that you follow comes in.</p></main>`,
  ),
  'a change of the password alone': page(
    'Change password',
    '<main><h1>Change password</h1><form method="post" action="/settings/password"><label>New password <input type="password" name="new" autocomplete="new-password"></label><label>Again <input type="password" name="again" autocomplete="new-password"></label><button>Save</button></form></main>',
  ),
  'a key for an interface': page(
    'API keys',
    `<main><h1>API keys</h1><p>Keys of your programs. Keep them to yourself.</p><form method="post" action="/keys"><label>Secret <input type="password" name="secret" autocomplete="off"></label><button>Save</button></form><table><tr><th>Key</th><th>Made</th></tr><tr><td>ships</td><td>May</td></tr></table></main>`,
  ),
  'a form to register': page(
    'Create an account',
    '<main><h1>Create an account</h1><form method="post" action="/register"><label>Name <input name="name"></label><label>Email <input type="email" name="email"></label><label>Password <input type="password" name="password" autocomplete="new-password"></label><label>Repeat the password <input type="password" name="repeat" autocomplete="new-password"></label><button>Create account</button></form></main>',
  ),
  'a demonstration of a form': page(
    'Forms - Components',
    `<nav>${Array.from({ length: 20 }, (_, at) => `<a href="/c/${at}">Component ${at}</a>`).join('')}</nav><main><h1>Forms</h1>${text(4, 'form controls')}<div class="example">${LOGIN}</div><pre><code>&lt;input type="password"&gt;</code></pre>${text(4, 'sizes and states')}</main>`,
  ),
  'source of a form as text': page(
    'Login form example',
    `<main><h1>Login form</h1><p>Copy this:</p><pre><code>&lt;form action="/login" method="post"&gt;&lt;input name="user"&gt;&lt;input type="password" name="pass"&gt;&lt;button&gt;Log in&lt;/button&gt;&lt;/form&gt;</code></pre></main>`,
  ),
  'a form in a template and a script': page(
    'Tools',
    `<template>${LOGIN}</template><script>const form = '${LOGIN.replaceAll('</', '<\\/')}'</script><!-- ${LOGIN} --><main><h1>Tools</h1><p>Pliers, saws and files.</p></main>`,
  ),
  'a dashboard of a member': page(
    'Dashboard',
    '<nav><a href="/logout">Log out</a> <a href="/account">My account</a></nav><main><h1>Welcome back, Anna</h1><p>3 ships are in the harbour. 2 ships are late.</p></main>',
  ),
  'a history of logins': page(
    'Login history',
    '<main><h1>Login history</h1><table><tr><th>When</th><th>Where</th></tr><tr><td>1 May</td><td>Port</td></tr><tr><td>2 May</td><td>Port</td></tr></table><p>Not you? <a href="/password">Change your password</a></p></main>',
  ),
  'a question about a login': page(
    'login - Session expires too early - Questions',
    `<header><a href="/login">Log in</a> <a href="/signup">Sign up</a></header><main><h1>Session expires too early</h1><p>I log in and after a minute I am logged out.</p><h2>2 Answers</h2><p>Raise the timeout.</p><p>Look at the cookie.</p><h2>Your answer</h2><form method="post" action="/answer"><textarea name="text"></textarea></form><p><a href="/login">Sign up or log in</a></p></main>`,
  ),
  ...Object.fromEntries(
    [
      `if(!document.cookie.includes('sid')){location.href='/login'}`,
      `if (!user) location.replace('/login')`,
      `document.cookie.includes('session') || location.assign('/login')`,
      `!token && (window.location = '/login')`,
      `let next = session ? '/' : location.href = '/login'`,
      `const logOut = () => location.assign('/login')`,
      `function logOut() {\n  location.href = '/login'\n}`,
      `// location.href = '/login'`,
      `/*\nlocation.href = '/login'\n*/`,
      `app.location = '/login'`,
    ].map((script) => [
      `an application with the script ${script}`,
      page('App', `<script>${script}</script><div id="app"></div>`),
    ]),
  ),
  'a button that goes on': page('App', `<div id="app"></div><button onclick="location.href='/login'">In</button>`),
  'a page that names a code': page(
    'Redeem a code',
    '<main><h1>Redeem a code</h1><form method="post" action="/redeem"><input name="code" inputmode="numeric" maxlength="6"><button>Redeem</button></form></main>',
  ),
  'a page of a shop with an account box': page(
    'Blue lamp',
    `<main><h1>Blue lamp</h1><p>19 crowns. A lamp of blue glass for the pier, made by hand, in three sizes, with a cord of two metres.</p><form action="/cart" method="post"><input type="hidden" name="id" value="1"><button>Add to cart</button></form></main><div class="drawer">${LOGIN}</div><ul>${Array.from({ length: 8 }, (_, at) => `<li><a href="/lamp/${at}">Lamp ${at}</a> ${at + 9} crowns</li>`).join('')}</ul>`,
  ),
  'a frame with a film': page(
    'Log in with a passkey - Films',
    '<main><h1>Log in with a passkey</h1><iframe src="https://films.test/embed/1"></iframe><p>Three minutes.</p></main>',
  ),
  'a list of ways to log in for programs': page(
    'Authentication',
    `<nav><a href="/login">Log in</a></nav><main><h1>Authentication</h1><p>Programs log in by a key, by OAuth, or by a certificate. Each of them has a page of its own, with what a request looks like, which scopes there are, how long a token lives, what the server answers where it is wrong, and how a token is taken back. Pick the simplest one that does what you need: for most programs a key will do, and it is made in a minute in the settings of your account. The others are for programs that act for other people.</p><ul><li><a href="/docs/auth/keys">Keys</a></li><li><a href="/docs/auth/oauth">OAuth</a></li><li><a href="/docs/auth/certificates">Certificates</a></li></ul></main>`,
  ),
  'a newsletter below a short answer': page(
    'How to log in - Help',
    '<main><h1>How to log in</h1><p>Open the page and press the button.</p></main><form method="post" action="/news"><input type="email" name="email" autocomplete="email"><button>Subscribe</button></form>',
  ),
  'a checkout for guests': page(
    'Checkout',
    `<main><h1>Checkout</h1><h2>Your order</h2><table><tr><td>Blue lamp</td><td>19 crowns</td></tr><tr><td>Red lamp</td><td>21 crowns</td></tr><tr><td>Total</td><td>40 crowns</td></tr></table><h2>Delivery</h2><form method="post" action="/order"><input name="name"><input name="street"><input name="city"><label>Choose a password for your account (optional) <input type="password" name="pw" autocomplete="new-password"></label><button>Order</button></form></main>`,
  ),
}

export const ordinaryPages: Readonly<Record<string, string>> = { ...articles, ...near, ...others }
