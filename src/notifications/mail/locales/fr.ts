import type { MailMessages } from '../messages.js';

export const fr: MailMessages = {
  testMode: 'Mode test : aucun argent n’a été déplacé.',
  paid: {
    title: 'Paiement reçu',
    text: 'Une commande de {merchant} a été payée.',
    subject: '{amount} reçus pour la commande {order}',
    order: 'Commande',
    txid: 'N° de transaction',
    amount: 'Montant',
    received: 'Reçu',
    method: 'Payé avec',
    payer: 'Payeur',
    account: 'Compte',
    time: 'Payé le',
    description: 'Objet',
    fields: 'De votre boutique',
    exceptions: {
      underpaid: 'Le montant reçu est inférieur à celui de la commande.',
      overpaid:
        'Le montant reçu est supérieur à celui de la commande. Veuillez rembourser la différence au payeur.',
      paid_late:
        'L’argent est arrivé après la clôture de la commande. Veuillez vérifier la commande.',
      duplicate_payment:
        'La commande a été payée plusieurs fois. Veuillez rembourser le surplus au payeur.',
      wrong_currency: 'L’argent est arrivé dans une autre devise. Veuillez vérifier la commande.',
      charged_back: 'La banque du payeur a repris l’argent. Veuillez vérifier la commande.',
    },
  },
  confirm: {
    title: 'Souhaitez-vous recevoir ces e-mails ?',
    text: '{merchant} souhaite informer {email} de chaque commande payée.',
    subject: 'À confirmer : e-mails sur les commandes de {merchant}',
    otherwise:
      'Si vous n’attendiez pas ce message, vous n’avez rien à faire : aucun autre e-mail ne suivra.',
    button: 'Voir et confirmer',
    why: 'Ce message a été envoyé parce que {merchant} a saisi l’adresse {email}.',
  },
  sample: {
    title: 'Vos e-mails arrivent bien',
    text: 'Les e-mails sur les commandes payées de {merchant} vous parviendront comme celui-ci.',
    subject: 'E-mail de test de {merchant}',
  },
  endpoint: {
    address: 'Adresse du webhook',
    since: 'En échec depuis',
    failing: {
      hour: 'Les webhooks échouent depuis une heure',
      day: 'Les webhooks échouent depuis un jour',
      text: 'Un webhook de {merchant} n’accepte aucun événement.',
      next: 'Nous continuons d’essayer. Après cinq jours sans succès, le webhook sera désactivé.',
    },
    disabled: {
      title: 'Un webhook a été désactivé',
      text: 'Ce webhook de {merchant} n’a accepté aucun événement depuis des jours : plus rien ne lui est envoyé.',
      gone: 'Ce webhook de {merchant} a répondu qu’il n’existe plus : plus rien ne lui est envoyé.',
      next: 'Aucun événement n’est perdu : dès que le webhook fonctionne, réactivez-le et faites renvoyer les événements manquants.',
    },
  },
  why: 'Vous recevez ce message parce que {email} est confirmée pour les e-mails sur les commandes de {merchant}.',
  unsubscribe: 'Se désabonner',
  pages: {
    unconfirmed: {
      title: 'Souhaitez-vous recevoir ces e-mails ?',
      text: '{merchant} souhaite informer {email} de chaque commande payée.',
      confirm: 'Oui, je veux les recevoir',
      decline: 'Non, merci',
    },
    confirmed: {
      title: 'Les e-mails sont activés',
      text: '{email} reçoit un e-mail pour chaque commande payée de {merchant}.',
      unsubscribe: 'Ne plus recevoir ces e-mails',
    },
    unsubscribed: {
      title: 'Les e-mails sont désactivés',
      text: '{email} ne reçoit plus d’e-mails sur les commandes de {merchant}.',
      confirm: 'Les réactiver',
    },
    not_found: {
      title: 'Page introuvable',
      text: 'Il n’y a rien à cette adresse. Le lien est peut-être périmé.',
    },
    unavailable: {
      title: 'Veuillez réessayer dans un instant',
      text: 'La page ne peut pas être affichée pour le moment.',
    },
    too_many_requests: {
      title: 'Un instant, s’il vous plaît',
      text: 'Votre connexion a envoyé trop de requêtes. Veuillez attendre une minute et réessayer.',
    },
  },
};
