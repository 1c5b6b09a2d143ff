/** How a page asks for something. */
export type AskedAs = 'script' | 'image' | 'frame' | 'fetch' | 'beacon'

/** A request that a page of the web makes for an advertiser's or a tracker's sake. */
export interface AdRequest {
  readonly as: AskedAs
  /** Always https. */
  readonly url: string
}

/**
 * The requests that are met most on pages of the web and bring a reader nothing: advertisements and the auctions for
 * them, analytics, tag managers, pixels of social networks, recorders of sessions, tests of variants, matching of
 * cookies. Written down from what the vendors tell their customers to put into a page, and not from any list of a
 * filter. Who asks for consent is not among them.
 */
const asked: Readonly<Record<AskedAs, string>> = {
  script: `
www.googletagmanager.com/gtm.js?id=GTM-K4XWQ2 www.googletagmanager.com/gtag/js?id=G-7XH2KD9QPL
www.google-analytics.com/analytics.js www.google-analytics.com/ga.js ssl.google-analytics.com/ga.js
www.googleadservices.com/pagead/conversion.js www.googleadservices.com/pagead/conversion_async.js
pagead2.googlesyndication.com/pagead/js/adsbygoogle.js?client=ca-pub-1234567890123456
securepubads.g.doubleclick.net/tag/js/gpt.js www.googletagservices.com/tag/js/gpt.js
partner.googleadservices.com/gampad/google_service.js adservice.google.com/adsid/integrator.js?domain=example
static.doubleclick.net/instream/ad_status.js s0.2mdn.net/ads/studio/Enabler.js
imasdk.googleapis.com/js/sdkloader/ima3.js www.googleoptimize.com/optimize.js?id=OPT-N2K4X
connect.facebook.net/en_US/fbevents.js connect.facebook.net/signals/config/123456789012345?v=2.9.1
static.ads-twitter.com/uwt.js snap.licdn.com/li.lms-analytics/insight.min.js
analytics.tiktok.com/i18n/pixel/events.js?sdkid=C4XWQ2 s.pinimg.com/ct/core.js sc-static.net/scevent.min.js
www.redditstatic.com/ads/pixel.js a.quora.com/qevents.js bat.bing.com/bat.js www.clarity.ms/tag/k3x9w2q1
static.hotjar.com/c/hotjar-1234567.js?sv=6 script.hotjar.com/modules.5a1c.js edge.fullstory.com/s/fs.js
cdn.mouseflow.com/projects/5f1c2d3e.js cdn.luckyorange.com/w.js d10lpsik1i8c69.cloudfront.net/w.js
script.crazyegg.com/pages/scripts/0012/3456.js cdn.inspectlet.com/inspectlet.js?wid=123456
rec.smartlook.com/recorder.js web-sdk.smartlook.com/recorder.js cdn.lr-ingest.com/LogRocket.min.js
cdn.logrocket.io/LogRocket.min.js cdn.segment.com/analytics.js/v1/Wq2Xk4/analytics.min.js
cdn.mxpnl.com/libs/mixpanel-2-latest.min.js cdn4.mxpnl.com/libs/mixpanel-2-latest.min.js
cdn.amplitude.com/libs/amplitude-8.17.0-min.gz.js cdn.heapanalytics.com/js/heap-1234567890.js
static.chartbeat.com/js/chartbeat.js static.chartbeat.com/js/chartbeat_mab.js sb.scorecardresearch.com/beacon.js
b.scorecardresearch.com/beacon.js secure.quantserve.com/quant.js rules.quantcount.com/rules-p-123.js
cdn.parsely.com/keys/example.com/p.js d1z2jf7jlzjs58.cloudfront.net/p.js static.cloudflareinsights.com/beacon.min.js
js-agent.newrelic.com/nr-1216.min.js bam.nr-data.net/1/abc123?a=123456 cdn.branch.io/branch-latest.min.js
stats.wp.com/e-202401.js www.statcounter.com/counter/counter.js static.getclicky.com/js in.getclicky.com/123456ns.gif
s10.histats.com/js15_as.js mc.yandex.ru/metrika/tag.js mc.yandex.ru/metrika/watch.js an.yandex.ru/system/context.js
hm.baidu.com/hm.js?5a1c cpro.baidustatic.com/cpro/ui/c.js s4.cnzz.com/z_stat.php?id=123456
cdn.matomo.cloud/example.matomo.cloud/matomo.js plausible.io/js/plausible.js plausible.io/js/script.js
static.goatcounter.com/count.js gc.zgo.at/count.js scripts.simpleanalyticscdn.com/latest.js
cdn.usefathom.com/script.js us-assets.i.posthog.com/static/array.js app.posthog.com/static/array.js
js.hs-analytics.net/analytics/1700000000000/123456.js js.hsadspixel.net/fb.js munchkin.marketo.net/munchkin.js
pi.pardot.com/pd.js img.en25.com/i/elqCfg.min.js tag.demandbase.com/abc123.min.js j.6sc.co/6si.min.js
scout-cdn.salesloft.com/sl.js ws.zoominfo.com/pixel/5f1c2d3e sc.lfeeder.com/lftracker_v1_example.js
assets.adobedtm.com/launch-EN5f1c.min.js assets.adobedtm.com/5f1c/satelliteLib-5f1c.js
tags.tiqcdn.com/utag/example/main/prod/utag.js nexus.ensighten.com/example/Bootstrap.js
cdn.tagcommander.com/1234/tc_example_1.js cdn.optimizely.com/js/1234567890.js
dev.visualwebsiteoptimizer.com/j.php?a=123456 cdn.dynamicyield.com/api/8765432/api_dynamic.js
se.monetate.net/js/2/a-123/p/example.com/entry.js cdn-4.convertexperiments.com/js/10012345-10012346.js
cdn.kameleoon.com/kameleoon.js try.abtasty.com/5f1c2d3e.js c.amazon-adsystem.com/aax2/apstag.js
z-na.amazon-adsystem.com/widgets/onejs?MarketPlace=US static.criteo.net/js/ld/publishertag.js
static.criteo.net/js/ld/ld.js dynamic.criteo.com/js/ld/ld.js?a=12345 cdn.taboola.com/libtrc/example/loader.js
cdn.taboola.com/libtrc/unip/1234567/tfa.js widgets.outbrain.com/outbrain.js amplify.outbrain.com/cp/obtp.js
acdn.adnxs.com/ast/ast.js acdn.adnxs.com/dmp/up/pixie.js ads.pubmatic.com/AdServer/js/pwt/123456/1234/pwt.js
ads.rubiconproject.com/prebid/12345_example.js js-sec.indexww.com/ht/p/123456-12345678.js
micro.rubiconproject.com/prebid/dynamic/12345.js cdn.adsafeprotected.com/iasPET.1.js
static.adsafeprotected.com/iasPET.1.js z.moatads.com/example123/moatad.js cdn.doubleverify.com/dvbs_src.js
cdn.confiant-integrations.net/Wq2Xk4/gpt_and_prebid/config.js s.adroll.com/j/roundtrip.js
tag.simpli.fi/sifitag/5f1c2d3e js.adsrvr.org/up_loader.1.1.0.js cdn.krxd.net/controltag/abc123.js
tags.crwdcntrl.net/lt/c/1234/lt.min.js tags.bkrtx.com/js/bk-coretag.js cdn.permutive.com/5f1c2d3e-web.js
cdn.cxense.com/cx.js btloader.com/tag?o=1234567890&upapi=true cdn.id5-sync.com/api/1.0/id5-api.js
contextual.media.net/dmedianet.js?cid=8CU123 warp.media.net/js/tags/clientag.js go.ezodn.com/hb/dall.js
www.ezojs.com/ezoic/sa.min.js scripts.mediavine.com/tags/example.js ads.adthrive.com/sites/5f1c/ads.min.js
a.pub.network/example-com/pubfig.min.js cdn.snigelweb.com/adengine/example.com/loader.js
cdn.carbonads.com/carbon.js?serve=CK7D srv.buysellads.com/ads/get/ids/CK7D.json
media.ethicalads.io/media/client/ethicalads.min.js s7.addthis.com/js/300/addthis_widget.js
w.sharethis.com/button/buttons.js platform-api.sharethis.com/js/sharethis.js
cdn.skimresources.com/js/123456X1234567.skimlinks.js s.skimresources.com/js/123456X1234567.skimlinks.js
cdn.viglink.com/api/vglnk.js www.dwin1.com/12345.js utt.impactcdn.com/A123456-5f1c-4d3e.js
d.impactradius-event.com/A123456-5f1c1.js cdn.bizible.com/scripts/bizible.js
cdn.callrail.com/companies/123456789/5f1c/12/swap.js tracking.g2crowd.com/attribution_tracking/conversions/123.js
b2bjsstore.s3.us-west-2.amazonaws.com/b/5f1c/reb2b.js.gz cdn.roistat.com/static/marketplace/tracker.js
top-fwz1.mail.ru/js/code.js vk.com/rtrg?p=VK-RTRG-123456-5f1c script.ioam.de/iam.js cdn.etracker.com/code/e.js
code.etracker.com/code/e.js responder.wt-safetag.com/resp/api/get/123456?url=example tag.aticdn.net/piano-analytics.js
cdn.yieldlove.com/yieldlove-bidder.js cdn.intergient.com/1024567/73210/ramp.js
www.googletagmanager.com/gtag/destination?id=AW-123 cdn.pdst.fm/ping.min.js
cdn.segment.io/analytics.js/v1/x/analytics.min.js cdn.evgnet.com/beacon/example/engage/scripts/evergage.min.js
t.contentsquare.net/uxa/5f1c.js scripts.clarity.ms/0.7.20/clarity.js cdn-settings.segment.com/v1/projects/x/settings
events.bouncex.net/track.gif cdn.matomo.cloud/x.js ads.blogherads.com/sk/12/123/header.js
cdn.adligature.com/example/prod/rules.js hb.vntsm.com/v4/live/vms/sites/example/index.js
live.primis.tech/live/liveView.php?s=1 tag.bounceexchange.com/1234/i.js static.vidazoo.com/basev/vwpt.js
ads.themoneytizer.com/s/gen.js cdn.ampproject.org/v0/amp-ad-0.1.js cdn.prod.uidapi.com/uid2-sdk-2.0.0.js
cdn.hadronid.net/hadron.js oa.openxcdn.net/esp.js invstatic101.creativecdn.com/encrypted-signals/encrypted-tag-g.js
tags.creativecdn.com/x.js us.creativecdn.com/tags/v2?type=json`,
  image: `
www.facebook.com/tr?id=123456789012345&ev=PageView&noscript=1 www.facebook.com/tr/?id=123456789012345&ev=PageView
px.ads.linkedin.com/collect/?pid=123456&fmt=gif px4.ads.linkedin.com/collect?v=2&pid=123456
t.co/i/adsct?bci=3&p_id=Twitter&p_user_id=0 analytics.twitter.com/i/adsct?txn_id=o1abc&p_id=Twitter
ct.pinterest.com/v3/?tid=2612345678901&event=init alb.reddit.com/rp.gif?event=PageVisit&id=t2_abc
tr.snapchat.com/p?pid=5f1c q.quora.com/_/ad/5f1c2d3e/pixel?tag=ViewContent bat.bing.com/action/0?ti=12345678&Ver=2
c.bing.com/c.gif?CtsSyncId=5f1c c.clarity.ms/c.gif
googleads.g.doubleclick.net/pagead/viewthroughconversion/123456789/?guid=ON
stats.g.doubleclick.net/r/collect?v=1&tid=UA-123456-1 cm.g.doubleclick.net/pixel?google_nid=example
ad.doubleclick.net/ddm/activity/src=1234567;type=count0
www.google-analytics.com/collect?v=1&tid=UA-123456-1&t=pageview www.google.com/pagead/1p-user-list/123456789/?guid=ON
www.google.com/ads/ga-audiences?v=1&tid=UA-123456-1 www.googletagmanager.com/a?id=GTM-K4XWQ2
pagead2.googlesyndication.com/pagead/gen_204?id=sodar2 ib.adnxs.com/getuid?https%3A%2F%2Fexample.org%2Fsync
ib.adnxs.com/px?id=1234567&t=2 secure.adnxs.com/seg?add=1234567 pixel.rubiconproject.com/tap.php?v=1234&nid=1234
image2.pubmatic.com/AdServer/Pug?vcode=bz0y simage2.pubmatic.com/AdServer/UCookieSetPug
us-u.openx.net/w/1.0/sd?id=537072399 dsum-sec.casalemedia.com/rum?cm_dsp_id=18
ssum-sec.casalemedia.com/usermatch?s=183875 match.adsrvr.org/track/cmf/generic?ttd_pid=example
insight.adsrvr.org/track/pxl/?adv=abc123 sync.mathtag.com/sync/img?mt_exid=10004
pixel.mathtag.com/event/img?mt_id=123456 dpm.demdex.net/ibs:dpid=771&dpuuid=CAESE cm.everesttech.net/cm/dd?d_uuid=123
example.sc.omtrdc.net/b/ss/examplecom/1/JS-2.22.0/s123?AQB=1 example.d1.sc.omtrdc.net/b/ss/examplecom/1/H.27/s123
example.112.2o7.net/b/ss/examplecom/1/H.22/s123 sync.taboola.com/sg/example/1/cm
trc.taboola.com/example/log/3/unip?en=page_view tr.outbrain.com/unifiedPixel?marketerId=5f1c
sslwidget.criteo.com/event?a=12345&v=5.9.0 gum.criteo.com/sid/json?origin=publishertag
dis.criteo.com/dis/usersync.aspx?r=1&p=2 x.bidswitch.net/sync?ssp=example sync.1rx.io/usersync2/example
sync.smartadserver.com/getuid?url=example eb2.3lift.com/getuid?redir=example ap.lijit.com/pixel?redir=example
ce.lijit.com/merge?pid=1 sync.teads.tv/um?eid=1 t.teads.tv/page?action=pageView
rtb-csync.smartadserver.com/redir/?partnerid=1 idsync.rlcdn.com/365868.gif?partner_uid=1 di.rlcdn.com/710.gif
ps.eyeota.net/match?bid=1 loadm.exelator.com/load/?p=204&g=1 tags.bluekai.com/site/1234?ret=html
stags.bluekai.com/site/1234 bcp.crwdcntrl.net/5/c=1234/b=1 beacon.krxd.net/pixel.gif?source=smarttag
pixel.tapad.com/idsync/ex/receive?partner_id=1 aa.agkn.com/adscores/g.pixel?sid=1 pippio.com/api/sync?pid=1
ml314.com/utsync.ashx?et=0 pixel.quantserve.com/pixel;r=123;a=p-123 b.scorecardresearch.com/p?c1=2&c2=1234567
ping.chartbeat.net/ping?h=example.com&p=%2F p1.parsely.com/plogger/?rand=1&idsite=example.com
srv-2024-01-01-00.pixel.parsely.com/plogger/?rand=1 secure-us.imrworldwide.com/cgi-bin/m?ci=us-123
cdn-gl.imrworldwide.com/conf/P5F1C.js pixel.wp.com/g.gif?v=ext&blog=123 c.statcounter.com/t.php?sc_project=123456
counter.yadro.ru/hit?t44.6;r top-fwz1.mail.ru/counter?id=123456
www.tns-counter.ru/V13a****example_com/ru/UTF-8/tmsec=example/ logc407.xiti.com/hit.xiti?s=123456
example.ivwbox.de/cgi-bin/ivw/CP/1 track.adform.net/Serving/TrackPoint/?pm=123456 a.audrte.com/p d.adroll.com/cm/r/out
ad.yieldlab.net/yp/123456 ih.adscale.de/adscale-ih/tpui?tpid=1 ad.turn.com/r/cs?pid=9
s.amazon-adsystem.com/iui3?d=forester-did aax-eu.amazon-adsystem.com/s/dcm?pid=1
sp.analytics.yahoo.com/sp.pl?a=1000&.yp=12345 ups.analytics.yahoo.com/ups/58292/sync trkn.us/pixel/conv/ppt=1234
www.awin1.com/sread.img?tt=ns&tv=2&merchant=1234 shareasale.com/sale.cfm?amount=0&tracking=1
ad.linksynergy.com/fs-bin/show?id=1 pt.ispot.tv/v2/TC-1234-1.gif servedby.flashtalking.com/segment/modify/abc
idpix.media6degrees.com/orbserv/hbpix?pixId=1234 bttrack.com/dmp/adobe/user?dd_uuid=1 pixel.sitescout.com/iap/5f1c2d3e
secure.leadforensics.com/js/12345.png trackcmp.net/visit?actid=123456 ade.googlesyndication.com/ddm/activity/src=1
ads.stickyadstv.com/user-matching?id=1 b1sync.zemanta.com/usersync/x cs.media.net/cksync?cs=1
c1.adform.net/serving/cookie/match?party=1 cookie-matching.mediarithmics.com/v1/sync creativecdn.com/cm-notify?pi=x
cs.admanmedia.com/sync ads.betweendigital.com/match image6.pubmatic.com/AdServer/UCookieSetPug
match.prod.bidr.io/cookie-sync/x odr.mookie1.com/t/v2/sync pixel.onaudience.com/?partner=1 prebid.a-mo.net/cchain/0
pr-bh.ybp.yahoo.com/sync/x cms.analytics.yahoo.com/cms ad.360yield.com/match rtb.gumgum.com/getuid
s.ad.smaato.net/c/?dspInit=1 s.company-target.com/s/sync sync.bfmio.com/sync sync.ipredictive.com/d/sync
sync.crwdcntrl.net/map sync.go.sonobi.com/us sync-tm.everesttech.net/upi/pid um.simpli.fi/lj_match
uipglob.semasio.net/x/1/info usermatch.krxd.net/um/v2 visitor.omnitagjs.com/visitor/sync wt.rqtrk.eu/?pid=1
ad.tpmn.co.kr/cookiesync pixel.advertising.com/ups/55 contextual.media.net/cksync.php hde.tynt.com/deb/?id=1
px.owneriq.net/eucm/p/x tags.w55c.net/match-result sync.extend.tv/sync trends.revcontent.com/cm/pixel_sync
live.rezync.com/sync beacon.lynx.cognitivlabs.com/x.gif cti.w55c.net/ct/x s.tribalfusion.com/z/i.match
a.tribalfusion.com/i.match a.sportradarserving.com/sync pixel-sync.sitescout.com/dmp/pixelSync pool.admedo.com/sync
bh.contextweb.com/rtset sync.srv.stackadapt.com/sync tg.socdm.com/aux/idsync fei.pro-market.net/engine?site=1`,
  frame: `
www.googletagmanager.com/ns.html?id=GTM-K4XWQ2 1234567.fls.doubleclick.net/activityi;src=1234567;type=retar0
googleads.g.doubleclick.net/pagead/html/r20240101/r20190131/zrt_lookup.html
tpc.googlesyndication.com/safeframe/1-0-40/html/container.html
5f1c2d3e.safeframe.googlesyndication.com/safeframe/1-0-40/html/container.html
ads.pubmatic.com/AdServer/js/user_sync.html?p=123456 eus.rubiconproject.com/usync.html?p=example
acdn.adnxs.com/dmp/async_usersync.html u.openx.net/w/1.0/pd?plm=6 js-sec.indexww.com/um/ixmatch.html
gum.criteo.com/syncframe?origin=publishertag tags.bluekai.com/site/20486?limit=1
example.demdex.net/dest5.html?d_nsid=0 vars.hotjar.com/box-5f1c.html tr.snapchat.com/cm/i?pid=5f1c
ct.pinterest.com/ct.html aax-eu.amazon-adsystem.com/s/iu3?cm3ppd=1 ssum.casalemedia.com/usermatchredir?s=1
cdn.undertone.com/js/usersync.html sync.sharethis.com/ids.html contextual.media.net/checksync.php?cid=8CU123
ads.yieldmo.com/pbcas?gdpr=0 apps.smartadserver.com/diff/templates/asset/csync.html
syndication.exoclick.com/ads-iframe-display.php?idzone=1`,
  fetch: `
region1.google-analytics.com/g/collect?v=2&tid=G-7XH2KD9QPL analytics.google.com/g/collect?v=2&tid=G-7XH2KD9QPL
securepubads.g.doubleclick.net/gampad/ads?pvsid=1 td.doubleclick.net/td/rul/123456789 api.mixpanel.com/track/?data=e30
api-js.mixpanel.com/track/?ip=1 api.amplitude.com/2/httpapi api2.amplitude.com/2/httpapi api.segment.io/v1/p
heapanalytics.com/h?a=1234567890 in.hotjar.com/api/v2/client/sites/1234567/visit-data rs.fullstory.com/rec/page
r.lr-ingest.com/i?a=example events.posthog.com/e/ us.i.posthog.com/e/?ip=1 plausible.io/api/event
browser-intake-datadoghq.com/api/v2/rum?ddsource=browser rum.browser-intake-datadoghq.eu/api/v2/rum
bam.nr-data.net/events/1/abc123 hbopenbid.pubmatic.com/translator?source=prebid-client
fastlane.rubiconproject.com/a/api/fastlane.json?account_id=1 prebid-server.rubiconproject.com/openrtb2/auction
ib.adnxs.com/ut/v3/prebid htlb.casalemedia.com/cygnus?s=123456 bidder.criteo.com/cdb?profileId=207
c.amazon-adsystem.com/e/dtb/bid?src=600 tlx.3lift.com/header/auction?lib=prebid g2.gumgum.com/hbid/imp
hb.emxdgt.com/?t=1000 prg.smartadserver.com/prebid/v1 rtb.openx.net/openrtbb/prebidjs ssc.33across.com/api/v1/hb
grid-bidder.criteo.com/hb/bid_request ads.servenobid.com/adreq web.hb.ad.cpe.dotomi.com/s2s/header/24
btlr.sharethrough.com/universal/v1?supply_id=1 id5-sync.com/g/v2/123.json api.rlcdn.com/api/identity/envelope?pid=1
lexicon.33across.com/v1/envelope mb.moatads.com/yi/v2?pcode=1 api.branch.io/v1/open app.adjust.com/session
mc.yandex.ru/watch/12345678 logx.optimizely.com/v1/events st.dynamicyield.com/st?sec=8765432 k.clarity.ms/collect
analytics.tiktok.com/api/v2/pixel i.clean.gg/?uuid=1 api.permutive.com/v2.0/events prebid.media.net/rtb/prebid
ads.us.e-planning.net/hb/1/x krk.kargo.com/api/v2/bid tagan.adlightning.com/x/op.js
prebid.adnxs.com/pbs/v1/openrtb2/auction mp.4dex.io/prebid bid.contextweb.com/header/ortb
ads.yieldmo.com/exchange/prebid shb.richaudience.com/hb/ hb.yahoo.net/x c2shb.pubgw.yahoo.com/bidRequest
prebid.technoratimedia.com/openrtb/bids/x ex.ingage.tech/v1/prebid rtb.ads.vidoomy.com/api/rtbserver/pbjs
oajs.openx.net/esp ipac.ctnsnet.com/int/cm data.adsrvr.org/track/cei e.clarity.ms/collect
visitor-service.tealiumiq.com/x collect.tealiumiq.com/event smetrics.example.omtrdc.net/ee/v1/collect
edge.adobedc.net/ee/v1/interact adobedc.demdex.net/ee/v1/interact ping.hotjar.com/x metrics.hotjar.io/?v=7
wss.hotjar.com/x bam-cell.nr-data.net/events api.lytics.io/c c.lytics.io/api/tag/x/latest.min.js
widget.us.criteo.com/event mug.criteo.com/sid ep1.adtrafficquality.google/getconfig/sodar
ep2.adtrafficquality.google/sodar/sodar2.js`,
  beacon: `
www.google-analytics.com/j/collect?v=1&t=event tr.snapchat.com/p bat.bing.com/actionp/0?ti=12345678
cloudflareinsights.com/cdn-cgi/rum content.hotjar.io/?gzip=1 c.contentsquare.net/pageview?v=13
k-aus1.contentsquare.net/v2/recording s.amazon-adsystem.com/x/px trc-events.taboola.com/example/log/2/visible
log.outbrainimg.com/loggerServices/widgetGlobalEvent mcdp-nydc1.outbrain.com/l?token=5f1c px.moatads.com/pixel.gif?e=9
tps.doubleverify.com/event.png?impid=5f1c pixel.adsafeprotected.com/rfw/st/123456
dt.adsafeprotected.com/dt?anId=123456 csm.nl3.eu.criteo.net/iev?entry=1 fls-na.amazon.com/1/batch/1/OP/
ingest.quantummetric.com/example usage.trackjs.com/usage.gif`,
}

/** Every request of the list. */
export const adRequests: readonly AdRequest[] = (Object.entries(asked) as [AskedAs, string][]).flatMap(([as, lines]) =>
  lines
    .split(/\s+/)
    .filter(Boolean)
    .map((line) => ({ as, url: `https://${line}` })),
)
