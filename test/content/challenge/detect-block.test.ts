import { describe, expect, it } from 'vitest'
import { type BlockVerdict, detectChallenge } from '../../../src/content/challenge/detect-challenge.js'

interface Made {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly type?: string
  readonly url?: string
}

function judge(
  html: string,
  { status = 200, headers = {}, type = 'text/html', url = 'https://site.test/' }: Made = {},
) {
  const body = new TextEncoder().encode(html)
  return detectChallenge({ url, statusCode: status, headers, contentType: type, body })
}

const prose = '<p>Some sentences that a reader came for, and which are the content of this very page. </p>'.repeat(20)

/** What guards answer in place of a page, cut to what makes it theirs. */
const guards = [
  [
    'Cloudflare',
    true,
    '<title>Just a moment...</title><body><div class="main-wrapper"><noscript>Enable JavaScript and cookies to continue</noscript></div><script>(function(){window._cf_chl_opt={cvId:"3",cType:"managed"};var a=document.createElement("script");a.src="/cdn-cgi/challenge-platform/h/g/orchestrate/chl_page/v1?ray=8"})()</script>',
    { status: 403 },
  ],
  ['Cloudflare', true, '', { status: 403, headers: { 'cf-mitigated': 'challenge' } }],
  [
    'Cloudflare',
    false,
    '<title>Attention Required! | Cloudflare</title><h1 data-translate="block_headline">Sorry, you have been blocked</h1><h2>You are unable to access site.test</h2>',
    { status: 403 },
  ],
  ['Cloudflare', false, 'error code: 1020', { status: 403, type: 'text/plain' }],
  [
    'DataDome',
    false,
    '<html><head><title>site.test</title></head><body><p id="cmsg">Please enable JS and disable any ad blocker</p><script>var dd={"rt":"c","host":"geo.captcha-delivery.com"}</script><script src="https://ct.captcha-delivery.com/c.js"></script></body></html>',
    { status: 403 },
  ],
  [
    'DataDome',
    false,
    '{"url":"https://geo.captcha-delivery.com/captcha/?initialCid=AHr"}',
    { status: 403, type: 'application/json' },
  ],
  [
    'HUMAN (PerimeterX)',
    false,
    '<title>Access to this page has been denied</title><div id="px-captcha"></div><p>Press &amp; Hold to confirm you are a human (and not a bot).</p>',
    { status: 403 },
  ],
  [
    'Imperva',
    true,
    '<html style="height:100%"><head><META NAME="ROBOTS" CONTENT="NOINDEX, NOFOLLOW"></head><body><iframe id="main-iframe" src="/_Incapsula_Resource?SWUDNSAI=31&xinfo=9" width="100%">Request unsuccessful. Incapsula incident ID: 1-2</iframe></body>',
  ],
  [
    'Akamai',
    false,
    '<TITLE>Access Denied</TITLE><H1>Access Denied</H1>You don\'t have permission to access "http&#58;&#47;&#47;site&#46;test&#47;" on this server.<P>Reference&#32;&#35;18&#46;2d6&#46;1 <P>https&#58;&#47;&#47;errors&#46;edgesuite&#46;net&#47;18&#46;2d6',
    { status: 403 },
  ],
  [
    'Akamai',
    true,
    '<html><head><meta http-equiv="refresh" content="5; URL=\'/?bm-verify=AAQ\'"></head><body><script>xhr.send(JSON.stringify({"bm-verify": "AAQ", "pow": j}))</script></body></html>',
  ],
  [
    'AWS WAF',
    true,
    '<script>window.awsWafCookieDomainList=[];window.gokuProps={"key":"AQ"}</script><script src="https://1.edge.sdk.awswaf.com/1/challenge.js"></script><div id="challenge-container"></div>',
    { status: 202 },
  ],
  ['AWS WAF', false, '', { status: 405, headers: { 'x-amzn-waf-action': 'captcha' } }],
  [
    'Kasada',
    false,
    '<html><body><script>window.KPSDK={};KPSDK.now=0</script><script src="/149e9513-01fa-4fb0-aad4-566afd725d1b/2d206a39-8ed7-437e-a3be-862e0f06eea3/ips.js?x=1"></script></body></html>',
    { status: 429 },
  ],
  [
    'F5',
    false,
    '<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. Please consult with your administrator.<br><br>Your support ID is: 123</body></html>',
  ],
  ['Sucuri', true, '<html><script>sucuri_cloudproxy_js="";S="dD0n"</script></html>'],
  [
    'DDoS-Guard',
    true,
    '<title>DDoS-Guard</title><script src="/.well-known/ddos-guard/js-challenge/index.js"></script>',
    { status: 403 },
  ],
  ['Vercel', true, "<title>Vercel Security Checkpoint</title><p>We're verifying your browser</p>", { status: 429 }],
  [
    'Anubis',
    true,
    '<title>Making sure you&#39;re not a bot!</title><script id="anubis_challenge" type="application/json">{}</script>',
  ],
  ['Qrator', true, '<html><body><script src="/__qrator/qauth_utm_v2.js"></script></body></html>', { status: 401 }],
  ['Alibaba', false, '<script>location.href="https://site.test:443//_____tmd_____/punish?x5secdata=xc"</script>'],
  [
    'Amazon',
    false,
    '<title>Amazon.com</title><h4>Enter the characters you see below</h4><form action="/errors/validateCaptcha"></form>',
  ],
  [
    'Google',
    false,
    '<title>https://www.google.com/search</title>Our systems have detected unusual traffic from your computer network.',
    { status: 429 },
  ],
  ['Baidu', false, '<title>百度安全验证</title><div class="timeout-feedback">网络不给力</div>'],
  ['Wordfence', false, '<h1>Your access to this site has been limited by the site owner</h1>', { status: 503 }],
  ['Radware', false, '<title>Radware Captcha Page</title>', { url: 'https://validate.perfdrive.com/?ssa=1' }],
  ['Queue-it', false, '<title>You are in line</title>', { url: 'https://shop.queue-it.net/?c=shop' }],
] satisfies [vendor: string, mayPass: boolean, html: string, made?: Made][]

interface Guard {
  readonly vendor: string
  readonly mayPass: boolean
  readonly html: string
  readonly made: Made
}
const known: readonly Guard[] = guards.map(([vendor, mayPass, html, made = {}]) => ({ vendor, mayPass, html, made }))

describe('a challenge', () => {
  it.each(known)('of $vendor is detected', ({ vendor, mayPass, html, made }) => {
    expect(judge(html, made)).toMatchObject({ isCertain: true, vendor, mayPass, evidence: expect.stringMatching(/.+/) })
  })

  it.each(known.filter(({ html, made }) => html !== '' && made.url === undefined))(
    'of $vendor that a page quotes is none',
    ({ html }) => {
      const quoted = html.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
      expect(judge(`<title>How guards work</title><main>${prose}<pre>${quoted}</pre></main>`)).toBeUndefined()
    },
  )

  it('of an unknown vendor is detected by its title and its text together', () => {
    const page = (title: string, text: string): BlockVerdict | undefined =>
      judge(`<title>${title}</title><main>${text}</main>`)
    expect(page('Are you a robot?', 'We noticed unusual activity from your network.')).toMatchObject({
      isCertain: true,
      evidence: 'its title is `Are you a robot?`, and it contains `unusual activity`',
    })
    expect(page('Security check', '<script src="https://www.google.com/recaptcha/api.js"></script>')).toMatchObject({
      isCertain: true,
    })
    expect(page('Are you a robot?', 'A poem in three lines.')).toBeUndefined()
    expect(page('Sign in', '<script src="https://www.google.com/recaptcha/api.js"></script><input>')).toBeUndefined()
    expect(page('Security check', `${prose} unusual activity`)).toBeUndefined()
  })
})

const widgets = [
  '<div class="cf-turnstile" data-sitekey="0x4AAA"></div><script src="https://challenges.cloudflare.com/turnstile/v0/api.js" async defer></script>',
  '<script src="https://challenges.cloudflare.com/turnstile/v0/api.js?onload=go"></script><div id="w"></div><script>turnstile.render("#w", {sitekey: "0x4A"})</script>',
  '<script src="https://js.hcaptcha.com/1/api.js"></script><div class="h-captcha" data-sitekey="10000000-ffff"></div>',
  '<script src="https://www.google.com/recaptcha/api.js"></script><form method="post"><input type="hidden" name="back" value="/"><div class="g-recaptcha" data-sitekey="6Le"></div><textarea name="g-recaptcha-response" style="display:none"></textarea><input type="submit" value="Continue"></form>',
  '<div id=captcha data-sitekey="6Le"></div><button>Continue</button>',
]
const statements = [
  '<h1>Verify you are human</h1>',
  '<h1>Please verify that you’re a human</h1><p>This helps us keep automated traffic away from the shop.</p>',
  '<h2>One more step</h2><p>Please complete the security check to access shop.com</p>',
  '<p>shop.com needs to review the security of your connection before proceeding.</p>',
  '<header><h1>Are you a robot?</h1></header>',
  '<h1>Bitte bestätigen Sie, dass Sie ein Mensch sind</h1>',
  '<p>Confirmez que vous êtes un humain.</p>',
  '<p>请确认您是真人</p>',
]

describe('a page that is nothing but a captcha', () => {
  it.each(widgets)('is detected under any title: %s', (widget) => {
    for (const statement of statements) {
      for (const title of ['shop.com', 'Shop: all for the pier', ''])
        expect(judge(`<title>${title}</title>${statement}${widget}`)).toMatchObject({ isCertain: true })
      const search = '<form role="search"><input name="q" placeholder="Search"></form>'
      expect(judge(`<title>Shop</title>${search}${statement}${widget}`)).toMatchObject({ isCertain: true })
    }
  })

  it('may let a browser pass where it needs no visitor', () => {
    const [turnstile = '', , hcaptcha = ''] = widgets
    const [statement = ''] = statements
    expect(judge(`<title>shop.com</title>${statement}${turnstile}`)).toMatchObject({ mayPass: true })
    expect(judge(`<title>shop.com</title>${statement}${hcaptcha}`)).toMatchObject({ mayPass: false })
  })

  it.each(widgets)('is suspected without a word under the name of a host: %s', (widget) => {
    expect(judge(`<title>shop.com</title>${widget}`)).toMatchObject({ isCertain: false })
    expect(judge(`<title>Contact</title>${widget}`)).toBeUndefined()
  })

  it.each(widgets)('is no page that has the captcha beside its content: %s', (widget) => {
    const [statement = ''] = statements
    for (const fields of [
      '<input name="user"><input type="password" name="password">',
      '<label>Your message <textarea name="message"></textarea></label>',
      '<input type="email" name="email"><button>Subscribe</button>',
      '<select name="subject"><option>Order</option></select>',
    ]) {
      expect(judge(`<title>shop.com</title><h1>Log in</h1><form>${fields}${statement}${widget}</form>`)).toBeUndefined()
    }
    expect(judge(`<title>Captchas</title>${statement}${prose}${widget}`)).toBeUndefined()
    expect(judge(`<title>Thank you</title><h1>Thank you</h1><p>We will write.</p>${widget}`)).toBeUndefined()
  })

  it.each([
    '<script src="https://www.google.com/recaptcha/api.js?render=6Le"></script><script>grecaptcha.execute("6Le", {})</script>',
    '<script src="https://www.google.com/recaptcha/enterprise.js?hl=de&render=6Le"></script><script>var sitekey = "6Le"</script>',
    '<script src="https://www.google.com/recaptcha/api.js"></script>',
    '<script src="https://www.google.com/recaptcha/api.js?render=6Le"></script><div class="grecaptcha-badge" data-style="bottomright"><iframe src="https://www.google.com/recaptcha/api2/anchor?k=6Le&amp;size=invisible"></iframe><textarea class="g-recaptcha-response" style="display: none"></textarea></div>',
  ])('is only suspected where the captcha is not shown: %s', (widget) => {
    const offer = '<h1>Security check of your home</h1><p>Our men come on Mondays.</p>'
    expect(judge(`<title>Home checks</title>${widget}${offer}`)).toMatchObject({ isCertain: false })
    expect(judge(`<title>Home checks</title>${widget}<p>Our men come on Mondays.</p>`)).toBeUndefined()
    const quiz = judge(`<title>Are you a robot? A quiz</title>${widget}<p>Ten questions.</p>`)
    expect(quiz).toMatchObject({ isCertain: !widget.includes('render=') })
  })

  it.each([
    ['a search', '<input name="q" placeholder="Company">'],
    ['a search by its type', '<input type="search" name="company">'],
  ])('is no form that needs one for %s', (_what, field) => {
    const [statement = ''] = statements
    for (const widget of widgets.filter((one) => one.includes('<div') && !one.includes('<form'))) {
      const within = /data-sitekey/.test(widget) ? widget : `<div data-sitekey="1"></div>${widget}`
      expect(
        judge(`<title>Register</title><h1>Search the register</h1><form>${field}${within}${statement}</form>`),
      ).toBeUndefined()
      expect(judge(`<title>Register</title><form>${field}</form>${statement}${within}`)).toMatchObject({
        isCertain: true,
      })
    }
  })

  it('is no page in which a visitor writes where no field is', () => {
    const [statement = ''] = statements
    for (const place of ['<div contenteditable></div>', '<div contenteditable="true"></div>', '<p role="textbox"></p>'])
      expect(judge(`<title>Guestbook</title>${place}${statement}${widgets[2]}`)).toBeUndefined()
  })

  it.each(['Just a moment', 'One moment, please', 'Please wait', 'Security check of your home'])(
    'is no form under the title of one: %s',
    (title) => {
      const form = '<form><input name="name"><textarea name="message"></textarea>'
      for (const widget of widgets) expect(judge(`<title>${title}</title>${form}${widget}</form>`)).toBeUndefined()
    },
  )

  it.each(statements)('is no short text about captchas: %s', (statement) => {
    expect(
      judge(`<title>shop.com</title>${statement}<p>So they say. reCAPTCHA, hCaptcha, Turnstile.</p>`),
    ).toBeUndefined()
  })
})

describe('no challenge is detected', () => {
  it.each([
    [
      'a page with the monitoring script of Cloudflare',
      '<script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script><p>Short.</p>',
    ],
    [
      'a page with the monitoring script of Imperva',
      '<script src="/_Incapsula_Resource?SWJIYLWA=719d"></script><p>Short.</p>',
    ],
    [
      'a page with the monitoring script of DataDome',
      '<script src="https://js.datadome.co/tags.js"></script><p>Short.</p>',
    ],
    [
      'a page with the monitoring script of Kasada',
      '<script src="/149e9513-01fa-4fb0-aad4-566afd725d1b/2d206a39-8ed7-437e-a3be-862e0f06eea3/p.js"></script>',
    ],
    ['a form with a captcha', '<title>Contact</title><form><div class="cf-turnstile" data-sitekey="1"></div></form>'],
    ['a page with the title of a challenge alone', '<title>Just a moment...</title><p>A poem about time.</p>'],
    ['an empty page', ''],
  ])('in %s', (_what, html) => expect(judge(html)).toBeUndefined())

  it.each([404, 410, 500, 502, 503])('for the status %s', (status) => {
    expect(judge('<title>Error</title><h1>Error</h1>', { status })).toBeUndefined()
  })

  it('for a request to log in', () => {
    expect(judge('', { status: 401, headers: { 'www-authenticate': 'Basic' } })).toBeUndefined()
  })

  it('in data that mention bot protection', () => {
    expect(judge('{"title":"Just a moment...","s":"_cf_chl_opt"}', { type: 'application/json' })).toBeUndefined()
  })
})

it.each([401, 403, 429])('the status %s alone gives an uncertain verdict', (status) => {
  expect(judge('<h1>Forbidden</h1>', { status })).toEqual({
    isCertain: false,
    evidence: `the status ${status}`,
    mayPass: false,
  })
})

it('a challenge is searched in time linear in the size of the page', () => {
  const hostile = [
    `<title>Request Rejected<${'x'.repeat(2_000_000)}`,
    '<iframe '.repeat(200_000),
    'cf-error-details"'.repeat(100_000),
    '<title>Client Challenge</title>'.repeat(50_000),
    'hcaptcha'.repeat(200_000),
    '.awswaf.com/'.repeat(150_000),
    `<i data-sitekey>${'<input '.repeat(200_000)}`,
    '<script src=//hcaptcha.com/1/></script>'.repeat(40_000),
    `<i data-sitekey>${'<h1 '.repeat(200_000)}`,
    `<i data-sitekey><input ${'type = '.repeat(200_000)}`,
    ` class="${' class="'.repeat(100_000)}`,
  ]
  const startedAtMs = performance.now()
  for (const html of hostile) judge(html, { status: 403 })
  expect(performance.now() - startedAtMs).toBeLessThan(10_000)
})
