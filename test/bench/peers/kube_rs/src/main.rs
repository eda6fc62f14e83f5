//! Does with kube-rs what the benchmarks of kftrain do, and prints a line of JSON.
//!
//!     kube_rs_client list URL CA_FILE                        pods
//!     kube_rs_client watch-pods|watch-jobs URL CA_FILE COUNT  a reflector with its store; jobs are PyTorchJobs as DynamicObject
mod measure;

use futures::StreamExt;
use k8s_openapi::api::core::v1::Pod;
use kube::api::{Api, ApiResource, DynamicObject, GroupVersionKind, ListParams};
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::runtime::{reflector, watcher};
use kube::{Client, Config};
use std::error::Error;
use std::fmt::Debug;
use std::hash::Hash;

type Outcome<T> = Result<T, Box<dyn Error>>;

async fn connect(url: &str, authority_file: &str) -> Outcome<Client> {
    let text = format!(
        r#"{{"clusters": [{{"name": "c", "cluster": {{"server": "{url}", "certificate-authority": "{authority_file}"}}}}],
             "contexts": [{{"name": "c", "context": {{"cluster": "c", "user": "u"}}}}], "users": [{{"name": "u", "user": {{}}}}],
             "current-context": "c"}}"#
    );
    let mut config = Config::from_custom_kubeconfig(Kubeconfig::from_yaml(&text)?, &KubeConfigOptions::default()).await?;
    config.read_timeout = None; // a canned watch may be silent for long
    Ok(Client::try_from(config)?)
}

async fn list(client: Client) -> Outcome<()> {
    let pods: Api<Pod> = Api::all(client);
    let before = measure::live_mb();
    let from = measure::now();
    let answer = pods.list(&ListParams::default()).await?;
    let to = measure::now();
    let (peak, count) = (measure::peak_mb(), answer.items.len());
    measure::print("list", &from, &to, count, peak, count, measure::live_mb() - before);
    Ok(())
}

/// Measures from the moment when the store has its list until `count` changes have come.
async fn follow<K>(what: &str, api: Api<K>, kind: K::DynamicType, count: usize) -> Outcome<()>
where
    K: kube::Resource + Clone + Debug + serde::de::DeserializeOwned + Send + Sync + 'static,
    K::DynamicType: Eq + Hash + Clone,
{
    let before = measure::live_mb();
    let writer = reflector::store::Writer::new(kind);
    let store = writer.as_reader();
    let mut events = Box::pin(reflector(writer, watcher(api, watcher::Config::default())));
    let mut from = measure::now();
    let mut seen = 0;
    while seen < count {
        match events.next().await.ok_or("the watch ended")?? {
            watcher::Event::InitDone => from = measure::now(),
            watcher::Event::Apply(_) => seen += 1,
            _ => {}
        }
    }
    let to = measure::now();
    measure::print(what, &from, &to, count, measure::peak_mb(), store.len(), measure::live_mb() - before);
    Ok(())
}

async fn run(arguments: &[String]) -> Outcome<()> {
    let [what, url, authority, rest @ ..] = arguments else {
        return Err("usage: kube_rs_client list|watch-pods|watch-jobs URL CA_FILE [COUNT]".into());
    };
    let client = connect(url, authority).await?;
    let count = || rest.first().ok_or("how many changes?");
    match what.as_str() {
        "list" => list(client).await,
        "watch-pods" => follow::<Pod>(what, Api::all(client), (), count()?.parse()?).await,
        "watch-jobs" => {
            let kind = GroupVersionKind::gvk("kubeflow.org", "v1", "PyTorchJob");
            let resource = ApiResource::from_gvk_with_plural(&kind, "pytorchjobs");
            let api: Api<DynamicObject> = Api::all_with(client, &resource);
            follow(what, api, resource, count()?.parse()?).await
        }
        other => Err(format!("{other} is no work: list, watch-pods, watch-jobs").into()),
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("threads");
    if let Err(fault) = runtime.block_on(run(&arguments)) {
        eprintln!("kube_rs_client: {fault}");
        std::process::exit(1);
    }
    std::process::exit(0); // without waiting for what the connection still has to do
}
