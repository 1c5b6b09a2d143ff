import type { UnsafeKind } from './unsafe-texts.js'

/**
 * Whole names in a path or a query, alone or with the name before them, without the signs between their words. A part of a name never
 * counts: `signoutfitters` is no way out.
 */
export const unsafeNames: Readonly<Record<UnsafeKind, string>> = {
  'signs out': `
    logout logoff signout signoff userlogout userlogoff dologout logoutaction logoutuser logoutall endsession sessionlogout
    singlelogout slologout killsession destroysession sessiondestroy logmeout samllogout oauthlogout ssologout forcelogout
    customerlogout memberlogout adminlogout globallogout signoutall signouteverywhere logouteverywhere accountlogout authlogout
    weblogout quicklogout abmelden ausloggen deconnexion deconnecter sedeconnecter cerrarsesion desconectar salir sair terminarsessao
    encerrarsessao esci disconnetti disconnessione uitloggen afmelden wyloguj wylogowanie odhlasit odhlaseni loggaut logud loggut
    kirjauduulos kijelentkezes cikis cikisyap oturumukapat vyhod vyiti выход выйти вихід вийти ログアウト 退出登录 登出 注销 로그아웃 samlslo saml2slo
    ssoslo odjava αποσυνδεση deconectare
  `,
  deletes: `
    delete deleteaccount deleteuser deleteitem deletepost deletecomment deleteall dodelete confirmdelete destroy remove removeitem
    removefromcart removecartitem removeall erase closeaccount deactivate deactivateaccount cancelaccount cancelsubscription
    cancelorder accountdelete accountremove userdelete loeschen loschen entfernen supprimer effacer eliminar borrar excluir apagar
    elimina cancella verwijderen usun skasuj smazat odstranit radera tabort slet slett poista torles hesapsil udalit удалить видалити
    削除 删除 刪除 삭제 accountclose accountcancel accountdeactivate subscriptioncancel ordercancel removefromwishlist removefromlist
    removefromfavorites removefromfavourites cartchange cartclear cartempty clearcart emptycart actiontrash actiondel actdel cmddel
    dodel modedel opdel διαγραφη stergere
  `,
  buys: `
    buynow addtocart addtobasket addtobag cartadd basketadd placeorder confirmorder ordernow paynow quickbuy oneclickbuy buyitnow
    placebid confirmpurchase jetztkaufen indenwarenkorb ajouteraupanier anadiralcarrito agregaralcarrito adicionaraocarrinho
    aggiungialcarrello dodajdokoszyka pridatdokosiku sepeteekle satinal
  `,
  unsubscribes: `
    unsubscribe unsub unsubscribeall optout emailoptout listunsubscribe newsletterunsubscribe abbestellen newsletterabmelden
    desabonner desabonnement desinscription sedesabonner darsedebaja cancelarsuscripcion descadastrar disiscrizione disiscriviti
    uitschrijven wypiszsie odhlasitodber avprenumerera afmeldnyhedsbrev leiratkozas abonelikiptal otpisatsya отписаться 配信停止 退订 取消订阅
    수신거부
  `,
}

/**
 * Names of icons, without that of their set before them and of their style behind them. Those of paths count as well. Most of these
 * say nothing in a path.
 */
export const iconNames: Readonly<Record<UnsafeKind, string>> = {
  'signs out':
    'rightfrombracket arrowrightfrombracket boxarrowright exit exittoapp glyphiconoff iconoff poweroff powersettingsnew',
  deletes: 'bin deletebin deleteforever trash trashbin trashcan',
  buys: 'addshoppingcart bagadd bagplus basketplus cartarrowdown cartplus shoppingcartadd shoppingcartplus',
  unsubscribes: '',
}

/** Words before the name of an icon, which name its set or say that it is one. */
export const iconSets: ReadonlySet<string> = new Set(
  'ant anticon bi btn button bx bxs carbon codicon dashicons el eva fa fad fal far fas feather fi fluent glyphicon heroicons i ic icn ico icon icons ion ionicon ios js la las link lucide material md mdi menu nav octicon oi ph pi ri sli svg tabler ti ui uil zmdi'.split(
    ' ',
  ),
)

/** Words behind the name of an icon, which say how it is drawn or used. */
export const iconStyles: ReadonlySet<string> = new Set(
  'alt bold box btn button circle duotone fill filled icon light line link o outline outlined r regular round rounded sharp solid thin variant'.split(
    ' ',
  ),
)

/** First folders of pages that are about such words, such as the page `delete` of the documentation of a library. */
export const proseFolders: ReadonlySet<string> = new Set(
  'article articles blog blogs dictionary doc docs documentation glossary guide guides kb knowledgebase manual manuals news reference tutorial tutorials'.split(
    ' ',
  ),
)

/** The same, where not the address but a text is judged: `/support/tickets/delete` may delete. */
export const helpFolders: ReadonlySet<string> = new Set(
  'developer developers faq hc help howto learn support wiki'.split(' '),
)

/** Parameters that hold what somebody searches for, or names of things. */
export const freeParameters: ReadonlySet<string> = new Set(
  'category filter keyword keywords lang language locale q query ref s search source tag tags term text title topic utm_campaign utm_content utm_medium utm_source utm_term'.split(
    ' ',
  ),
)
