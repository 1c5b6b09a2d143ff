import type { UnsafeKind } from './unsafe-texts.js'

/**
 * Whole names in a path or a query, and names of icons, without the signs between their words. A part of a name never counts:
 * `signoutfitters` is no way out.
 */
export const unsafeNames: Readonly<Record<UnsafeKind, string>> = {
  'signs out': `
    logout logoff signout signoff userlogout userlogoff dologout logoutaction logoutuser logoutall endsession sessionlogout
    singlelogout slologout killsession destroysession sessiondestroy logmeout samllogout oauthlogout ssologout forcelogout
    customerlogout memberlogout adminlogout globallogout signoutall signouteverywhere logouteverywhere accountlogout authlogout
    weblogout quicklogout abmelden ausloggen deconnexion deconnecter sedeconnecter cerrarsesion desconectar salir sair terminarsessao
    encerrarsessao esci disconnetti disconnessione uitloggen afmelden wyloguj wylogowanie odhlasit odhlaseni loggaut logud loggut
    kirjauduulos kijelentkezes cikis cikisyap oturumukapat vyhod vyiti выход выйти вихід вийти ログアウト 退出登录 登出 注销 로그아웃 fasignout
    fasignoutalt farightfrombracket faarrowrightfrombracket biboxarrowright glyphiconlogout iconlogout iconsignout icologout mdilogout
    mdilogoutvariant tilogout lucidelogout featherlogout logouticon signouticon icnlogout iclogout svglogout uiiconlogout bxlogout
    rilogoutboxline rilogoutboxrline rilogoutcircleline rilogoutcirclerline pisignout phsignout octiconsignout fapoweroff
    glyphiconlogoutalt glyphiconoff codiconsignout dashiconsexit ionlogout iosignout iconlogouticon
  `,
  deletes: `
    delete deleteaccount deleteuser deleteitem deletepost deletecomment deleteall dodelete confirmdelete destroy remove removeitem
    removefromcart removecartitem removeall erase closeaccount deactivate deactivateaccount cancelaccount cancelsubscription
    cancelorder accountdelete accountremove userdelete loeschen loschen entfernen supprimer effacer eliminar borrar excluir apagar
    elimina cancella verwijderen usun skasuj smazat odstranit radera tabort slet slett poista torles hesapsil udalit удалить видалити
    削除 删除 刪除 삭제 fatrash fatrashalt fatrashcan fatrasho bitrash bitrash2 bitrash3 glyphicontrash mdidelete mditrashcan
    mditrashcanoutline mdideleteoutline lucidetrash lucidetrash2 feathertrash feathertrash2 icontrash icondelete icondelete2
    deleteicon trashicon ridelete rideletebinline bxtrash pitrash phtrash octicontrash
  `,
  buys: `
    buynow addtocart addtobasket addtobag cartadd basketadd placeorder confirmorder ordernow paynow quickbuy oneclickbuy buyitnow
    placebid confirmpurchase jetztkaufen indenwarenkorb ajouteraupanier anadiralcarrito agregaralcarrito adicionaraocarrinho
    aggiungialcarrello dodajdokoszyka pridatdokosiku sepeteekle satinal addtocartbutton facartplus bicartplus bibagplus mdicartplus
    iconaddtocart
  `,
  unsubscribes: `
    unsubscribe unsub unsubscribeall optout emailoptout listunsubscribe newsletterunsubscribe abbestellen newsletterabmelden
    desabonner desabonnement desinscription sedesabonner darsedebaja cancelarsuscripcion descadastrar disiscrizione disiscriviti
    uitschrijven wypiszsie odhlasitodber avprenumerera afmeldnyhedsbrev leiratkozas abonelikiptal otpisatsya отписаться 配信停止 退订 取消订阅
    수신거부
  `,
}

/** First folders of pages that are about such words, such as the page `sign-out` of the documentation of a library. */
export const proseFolders: ReadonlySet<string> = new Set(
  'article articles blog blogs dictionary doc docs documentation glossary guide guides kb knowledgebase manual manuals news reference tutorial tutorials'.split(
    ' ',
  ),
)

/** Parameters that hold what somebody searches for, or names of things. */
export const freeParameters: ReadonlySet<string> = new Set(
  'category filter keyword keywords lang language locale q query ref s search source tag tags term text title topic utm_campaign utm_content utm_medium utm_source utm_term'.split(
    ' ',
  ),
)
