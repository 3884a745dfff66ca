import type { MailMessages } from '../messages.js';

export const tr: MailMessages = {
  testMode: 'Test modu: para hareketi olmadı.',
  paid: {
    title: 'Ödeme alındı',
    text: '{merchant} işletmesine ait bir sipariş ödendi.',
    subject: '{order} numaralı sipariş için {amount} alındı',
    order: 'Sipariş',
    txid: 'İşlem',
    amount: 'Tutar',
    received: 'Alınan',
    method: 'Ödeme yolu',
    payer: 'Ödeyen',
    account: 'Hesap',
    time: 'Ödeme zamanı',
    description: 'Açıklama',
    fields: 'Mağazanızdan',
    exceptions: {
      underpaid: 'Gelen para sipariş tutarından az.',
      overpaid: 'Gelen para sipariş tutarından fazla. Lütfen farkı ödeyene iade edin.',
      paid_late: 'Para, sipariş kapandıktan sonra geldi. Lütfen siparişi kontrol edin.',
      duplicate_payment: 'Sipariş birden fazla kez ödendi. Lütfen fazlasını ödeyene iade edin.',
      wrong_currency: 'Para başka bir para biriminde geldi. Lütfen siparişi kontrol edin.',
      charged_back: 'Ödeyenin bankası parayı geri aldı. Lütfen siparişi kontrol edin.',
    },
  },
  confirm: {
    title: 'Bu e-postaları almak ister misiniz?',
    text: '{merchant}, ödenen her siparişi {email} adresine bildirmek istiyor.',
    subject: 'Lütfen onaylayın: {merchant} siparişleriyle ilgili e-postalar',
    otherwise: 'Bunu beklemiyorsanız bir şey yapmanız gerekmez: başka e-posta gelmeyecek.',
    button: 'Gör ve onayla',
    why: 'Bu e-posta, {merchant} {email} adresini girdiği için gönderildi.',
  },
  sample: {
    title: 'E-postalarınız ulaşıyor',
    text: '{merchant} işletmesinin ödenen siparişleriyle ilgili e-postalar size bunun gibi ulaşacak.',
    subject: '{merchant} test e-postası',
  },
  endpoint: {
    address: 'Webhook adresi',
    since: 'Sorunun başlangıcı',
    failing: {
      hour: 'Webhook’lar bir saattir başarısız',
      day: 'Webhook’lar bir gündür başarısız',
      text: '{merchant} işletmesinin bir webhook adresi hiçbir olayı kabul etmiyor.',
      next: 'Denemeye devam ediyoruz. Beş gün başarısız olursa adres devre dışı bırakılır.',
    },
    disabled: {
      title: 'Bir webhook adresi devre dışı bırakıldı',
      text: '{merchant} işletmesinin bu adresi günlerdir hiçbir olayı kabul etmedi, bu yüzden artık bir şey gönderilmiyor.',
      gone: '{merchant} işletmesinin bu adresi artık var olmadığını bildirdi, bu yüzden artık bir şey gönderilmiyor.',
      next: 'Hiçbir olay kaybolmadı: adres çalışınca yeniden etkinleştirin ve eksik olayları tekrar gönderttirin.',
    },
  },
  why: 'Bu e-postayı, {email} adresi {merchant} siparişleriyle ilgili e-postalar için onaylandığından alıyorsunuz.',
  unsubscribe: 'Aboneliği sonlandır',
  pages: {
    unconfirmed: {
      title: 'Bu e-postaları almak ister misiniz?',
      text: '{merchant}, ödenen her siparişi {email} adresine bildirmek istiyor.',
      confirm: 'Evet, gönderin',
      decline: 'Hayır, teşekkürler',
    },
    confirmed: {
      title: 'E-postalar açık',
      text: '{email}, {merchant} işletmesinin ödenen her siparişi için bir e-posta alıyor.',
      unsubscribe: 'Bu e-postaları durdur',
    },
    unsubscribed: {
      title: 'E-postalar kapalı',
      text: '{email} artık {merchant} siparişleriyle ilgili e-posta almıyor.',
      confirm: 'Yeniden aç',
    },
    not_found: {
      title: 'Sayfa bulunamadı',
      text: 'Bu adreste bir şey yok. Bağlantı eskimiş olabilir.',
    },
    unavailable: {
      title: 'Lütfen birazdan yeniden deneyin',
      text: 'Sayfa şu anda gösterilemiyor.',
    },
    too_many_requests: {
      title: 'Bir dakika lütfen',
      text: 'Bağlantınızdan çok fazla istek geldi. Lütfen bir dakika bekleyip yeniden deneyin.',
    },
  },
};
