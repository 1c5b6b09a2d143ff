/** Effect of a link besides leading to a page. */
export type UnsafeKind = 'signs out' | 'deletes' | 'buys' | 'unsubscribes'

/**
 * Texts of links that do something, in some twenty languages, separated by bars. Data alone: a further language is further texts. Those
 * of the first kind that has one count.
 */
export const unsafeTexts: Readonly<Record<UnsafeKind, string>> = {
  'signs out': `
    log out|logout|log me out|sign me out|log off|logoff|sign out|signout|sign off|end session|exit account|abmelden|ausloggen|logge dich aus|jetzt abmelden|
    déconnexion|se déconnecter|me déconnecter|déconnecter|fermer la session|cerrar sesión|cerrar la sesión|desconectarse|desconectar|
    salir|sair|sair da conta|terminar sessão|encerrar sessão|fechar sessão|esci|disconnetti|disconnettiti|disconnessione|scollegati|
    uitloggen|afmelden|log uit|wyloguj|wyloguj się|wylogowanie|wyloguj mnie|odhlásit|odhlásit se|odhlášení|odhlásiť|odhlásiť sa|
    logga ut|log ud|logg ut|logg av|kirjaudu ulos|kijelentkezés|kilépés|çıkış|çıkış yap|oturumu kapat|выйти|выход|выйти из аккаунта|
    завершить сеанс|вийти|вихід|ログアウト|サインアウト|ログオフ|退出登录|退出登錄|登出|注销|退出|로그아웃|تسجيل الخروج|تسجيل خروج|خروج|
    αποσύνδεση|έξοδος|deconectare|deconectează-te|ieșire din cont|התנתק|התנתקות|יציאה|изход|odjava|odjavi se|logi välja|atsijungti|
    tanca la sessió|đăng xuất|keluar|ออกจากระบบ|लॉग आउट|
  `,
  deletes: `
    delete|delete this|delete account|delete my account|delete item|delete all|delete selected|delete post|delete comment|
    delete message|delete file|remove|remove item|remove this|close account|close my account|deactivate account|cancel account|
    cancel subscription|cancel order|löschen|entfernen|konto löschen|mein konto löschen|abo kündigen|bestellung stornieren|supprimer|
    effacer|supprimer le compte|supprimer mon compte|résilier|eliminar|borrar|eliminar cuenta|borrar cuenta|eliminar mi cuenta|
    cancelar suscripción|excluir|apagar|excluir conta|eliminar conta|cancelar assinatura|elimina|cancella|rimuovi|elimina account|
    cancella l'account|verwijderen|verwijder|account verwijderen|abonnement opzeggen|usuń|usuń konto|skasuj|smazat|smazat účet|
    odstranit|ta bort|radera|radera konto|slet|slett|slet konto|slett konto|poista|poista tili|törlés|fiók törlése|sil|hesabı sil|
    hesabımı sil|удалить|удалить аккаунт|видалити|видалити акаунт|削除|削除する|アカウントを削除|退会|删除|刪除|注销账户|删除账户|삭제|계정 삭제|회원 탈퇴|حذف|حذف الحساب|
    إزالة|διαγραφή|διαγραφή λογαριασμού|șterge|ștergere|șterge contul|מחק|מחיקה|מחק חשבון|
  `,
  buys: `
    buy now|buy it now|add to cart|add to basket|add to bag|order now|place order|place your order|pay now|complete purchase|
    confirm order|confirm purchase|place bid|one click buy|buy with one click|jetzt kaufen|in den warenkorb|
    zahlungspflichtig bestellen|jetzt bestellen|kostenpflichtig bestellen|sofort kaufen|acheter maintenant|ajouter au panier|commander|
    payer maintenant|comprar ahora|comprar ya|añadir al carrito|agregar al carrito|añadir a la cesta|pagar ahora|comprar agora|
    adicionar ao carrinho|finalizar compra|pagar agora|acquista ora|aggiungi al carrello|paga ora|nu kopen|koop nu|in winkelwagen|
    bestel nu|kup teraz|dodaj do koszyka|zamawiam i płacę|koupit nyní|do košíku|přidat do košíku|köp nu|lägg i varukorgen|køb nu|
    læg i kurv|kjøp nå|legg i handlekurv|osta nyt|lisää ostoskoriin|megveszem|kosárba|kosárba teszem|hemen al|satın al|sepete ekle|
    купить сейчас|купить|в корзину|добавить в корзину|оформить заказ|купити|до кошика|今すぐ買う|カートに入れる|カートに追加|注文を確定する|立即购买|加入购物车|立即購買|
    加入購物車|提交订单|바로구매|지금 구매|구매하기|장바구니에 담기|장바구니 담기|اشتر الآن|أضف إلى السلة|أضف إلى عربة التسوق|
    αγορά τώρα|προσθήκη στο καλάθι|cumpără acum|adaugă în coș|קנה עכשיו|הוסף לסל|הוספה לסל|
  `,
  unsubscribes: `
    unsubscribe|unsubscribe me|unsubscribe now|opt out|stop these emails|leave list|newsletter abbestellen|abbestellen|
    newsletter abmelden|vom newsletter abmelden|austragen|se désabonner|désabonnement|se désinscrire|me désabonner|désinscription|
    darse de baja|cancelar la suscripción|anular suscripción|cancelar inscrição|descadastrar|annulla iscrizione|disiscriviti|
    annulla l'iscrizione|uitschrijven|afmelden nieuwsbrief|wypisz się|zrezygnuj z subskrypcji|odhlásit odběr|zrušit odběr|
    avsluta prenumeration|avregistrera|afmeld|afmeld nyhedsbrev|meld deg av|peruuta tilaus|leiratkozás|aboneliği iptal et|
    abonelikten çık|отписаться|отказаться от рассылки|відписатися|配信停止|購読解除|メルマガ解除|退订|取消订阅|退訂|取消訂閱|수신거부|수신 거부|구독 취소|إلغاء الاشتراك|
    κατάργηση εγγραφής|dezabonare|dezabonează-te|ביטול מנוי|הסר מרשימת התפוצה|
  `,
}
