import { describe, expect, it } from 'vitest'
import { findUnsafeLinks } from '../../../src/features/unsafe-links/find-unsafe-links.js'
import { judgeAddress, judgeText } from '../../../src/features/unsafe-links/judge-link.js'

const read = (html: string): readonly [string, string][] =>
  findUnsafeLinks({
    url: 'https://a.test/start',
    statusCode: 200,
    redirects: [],
    headers: {},
    fetcher: 'http',
    fetchedAtMs: 0,
    contentType: 'text/html; charset=utf-8',
    body: Buffer.from(html),
  }).map(({ url, kind }) => [new URL(url).pathname, kind])

describe('the text of a link', () => {
  it.each([
    ['signs out', 'Log out'],
    ['signs out', '  SIGN-OUT » '],
    ['signs out', 'Sign out of all sessions'],
    ['signs out', 'Anna Smith (log out)'],
    ['signs out', 'Abmelden'],
    ['signs out', 'Se déconnecter'],
    ['signs out', 'CERRAR SESIÓN'],
    ['signs out', 'Encerrar sessão'],
    ['signs out', 'Disconnetti'],
    ['signs out', 'Uitloggen'],
    ['signs out', 'Wyloguj się'],
    ['signs out', 'Odhlásit se'],
    ['signs out', 'Logga ut'],
    ['signs out', 'Kirjaudu ulos'],
    ['signs out', 'ÇIKIŞ YAP'],
    ['signs out', 'Выйти'],
    ['signs out', 'ログアウト'],
    ['signs out', '退出登录'],
    ['signs out', '로그아웃'],
    ['signs out', 'تسجيل الخروج'],
    ['signs out', 'Sign me out'],
    ['signs out', 'Αποσύνδεση'],
    ['signs out', 'Deconectare'],
    ['signs out', 'התנתק'],
    ['deletes', 'Delete'],
    ['deletes', 'Delete this post'],
    ['deletes', 'Remove from cart'],
    ['deletes', 'Konto löschen'],
    ['deletes', 'Удалить'],
    ['buys', 'Buy now 12.00 €'],
    ['buys', 'In den Warenkorb'],
    ['buys', 'カートに入れる'],
    ['unsubscribes', 'Unsubscribe'],
    ['unsubscribes', 'Se désabonner'],
  ])('%s: %s', (kind, text) => expect(judgeText(text)?.kind).toBe(kind))

  it.each([
    'How to log out of every device at once',
    'Delete key',
    'Buyer’s guide',
    'Log in',
    'Sign up',
    'Logout bug is fixed in 4.2',
    'Signing off: a farewell',
    'Sortir à Paris',
    'Subscribe',
    'Outlook',
    'Deleted scenes',
    'Shopping cart',
    'Remove all ads',
    'Removed from the list',
    '',
  ])('is an ordinary one: %s', (text) => expect(judgeText(text)).toBeUndefined())
})

describe('the address of a link', () => {
  it.each([
    ['signs out', '/logout'],
    ['signs out', '/users/sign_out'],
    ['signs out', '/wp-login.php?action=logout&_wpnonce=1a'],
    ['signs out', '/w/index.php?title=Special:UserLogout'],
    ['signs out', '/wiki/Special:UserLogout'],
    ['signs out', '/connect/endsession'],
    ['signs out', '/Account/LogOff.aspx'],
    ['signs out', '/session/destroy'],
    ['signs out', '/?logout=1'],
    ['signs out', '/kunde/abmelden'],
    ['signs out', '/%D0%B2%D1%8B%D1%85%D0%BE%D0%B4'],
    ['deletes', '/items/5/delete'],
    ['deletes', '/index.php?action=delete&id=5'],
    ['deletes', '/list?remove_item=5'],
    ['deletes', '/docs/5/delete'],
    ['deletes', '/post.php?post=3&action=trash'],
    ['deletes', '/?cmd=del&id=3'],
    ['deletes', '/account/close'],
    ['buys', '/cart?action=add&id=1'],
    ['signs out', '/saml/slo'],
    ['signs out', '/wiki/Special:UserLogout'],
    ['signs out', '/wiki/Logout.jsp'],
    ['signs out', '/wiki/logout'],
    ['deletes', '/wiki/Harbour/delete'],
    ['buys', '/?add-to-cart=17'],
    ['buys', '/cart/add/17'],
    ['unsubscribes', '/newsletter/unsubscribe?u=5'],
  ])('%s: %s', (kind, path) => expect(judgeAddress(`https://a.test${path}`)?.kind).toBe(kind))

  it.each([
    '/blog/how-to-sign-out',
    '/signoutfitters',
    '/search?q=logout',
    '/?logout=0',
    '/docs/operators/delete',
    '/blog/2024/11/24/delete',
    '/wiki/Logout',
    '/en/wiki/Delete',
    '/cart',
    '/login?next=/logout',
    '/%E0%A4%A',
    '/about-deletion',
    '/folder/trash',
    '/articulo/del/mar',
    '/?sort=exit',
  ])('is an ordinary one: %s', (path) => expect(judgeAddress(`https://a.test${path}`)).toBeUndefined())
})

describe('the links of a page', () => {
  it.each([
    ['an icon', '<a href="/x"><i class="fa fa-sign-out-alt"></i></a>', 'signs out'],
    ['a drawing', '<a href="/x"><svg><use xlink:href="/s.svg#icon-logout"/></svg></a>', 'signs out'],
    ['a picture', '<a href="/x"><img src="/i/logout.png"></a>', 'signs out'],
    ['a text of a picture', '<a href="/x"><img src="/i/1.png" alt="Log out"></a>', 'signs out'],
    ['a label', '<a href="/x" aria-label="Sign out"><i class="q"></i></a>', 'signs out'],
    ['a method', '<a href="/x" data-method="delete">Five</a>', 'deletes'],
    ['a question', '<a href="/x" onclick="return confirm(\'Sure?\')">Five</a>', 'changes something'],
    ['an icon with its style', '<a href="/x"><i class="mdi mdi-logout-variant"></i></a>', 'signs out'],
    ['an icon without its set', '<a href="/x"><svg data-icon="trash-alt"></svg></a>', 'deletes'],
    ['an icon of a set of sets', '<a href="/x"><iconify-icon icon="mdi:cart-plus"></iconify-icon></a>', 'buys'],
    ['an icon that its font draws', '<a href="/x"><i>exit_to_app</i></a>', 'signs out'],
    ['the same by a class', '<a href="/x" class="material-icons">power_settings_new</a>', 'signs out'],
    ['an icon to turn off', '<a href="/x"><i class="glyphicon glyphicon-off"></i></a>', 'signs out'],
    ['words with what they delete', '<a href="/x">Delete your account</a>', 'deletes'],
    ['the name of a link with a sign', '<a href="/x" class="btn-logout">→</a>', 'signs out'],
    ['a text with entities', '<a href="/x">D&eacute;connexion</a>', 'signs out'],
    ['a text with spaces that do not break', '<a href="/x">Log&nbsp;out</a>', 'signs out'],
    ['a label with entities', '<a href="/x" title="L&ouml;schen">×</a>', 'deletes'],
    ['a method beside a title', '<a href="/x" data-method="delete">Delete your account</a>', 'deletes'],
    ['a method of htmx', '<a href="/x" hx-delete="/x">Five</a>', 'deletes'],
    ['another one', '<a href="/x" data-hx-post="/x">Five</a>', 'changes something'],
    [
      'a form that a script sends',
      '<a href="/x" onclick="event.preventDefault(); out.submit();">x</a>',
      'changes something',
    ],
    ['a form at the same address', '<form action="/x" method="post"><button>Log out</button></form>', 'signs out'],
  ])('are unsafe by %s', (_, html, kind) => expect(read(html)).toEqual([['/x', kind]]))

  it.each([
    ['a form that is sent elsewhere', '<form action="/items/5" method="post"><button>Delete</button></form>'],
    ['an icon beside a text', '<a href="/x"><i class="fa-trash"></i> Waste collection</a>'],
    ['an ordinary link to the same page', '<a href="/x" data-method="delete">Delete</a><a href="/x">Item five</a>'],
    [
      'one that is written otherwise',
      '<a href="/x" data-method="delete">Delete</a><a href="https://a.test/x#5">Five</a>',
    ],
    ['a link to the page itself', '<a href="#" data-method="delete">Delete</a><a href="/start" title="Log out">x</a>'],
    ['a text that an icon has as its name', '<a href="/x">exit</a> <a href="/y">bin</a>'],
    ['a class that has more than the name of an icon', '<a href="/x" class="logout-survey">→</a>'],
    ['the name of a function', '<a href="/x">delete_user</a> <a href="/y"><span class="pre">power_off</span></a>'],
    ['a call', '<a href="/x">remove()</a>'],
    ['the title of a page of help', '<a href="/help/x">Delete your account</a> <a href="/docs/y">DELETE FROM</a>'],
    ['the same at a host of help', '<a href="https://help.a.test/x">Remove from the list</a>'],
    ['a state that is off', '<a href="/x" class="dot off"></a> <a href="/y" class="nav-off"><img src="y.jpg"></a>'],
    ['the method GET', '<a href="/x" data-method="get">Five</a>'],
  ])('are ordinary with %s', (_, html) => expect(read(html)).toEqual([]))

  it('have no form in one that is open', () => {
    const html = '<form action="/y"><form action="/x"><button>Log out</button></form><form action="/z"></form>'
    expect(read(html)).toEqual([['/y', 'signs out']])
    expect(read(`${html}${html.replace('/y', '/w')}`)).toHaveLength(2)
  })

  it('are read in time linear in the length of the page', () => {
    const html = '<a href="/x" onclick="confirm'.repeat(20_000) + '<form action="/y">'.repeat(20_000)
    expect(read(html).length).toBeLessThan(1001)
  })
})
